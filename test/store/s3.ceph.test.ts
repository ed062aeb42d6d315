import { expect, it } from "vitest";
import { type S3Settings, S3Store } from "../../src/store/s3.ts";
import { describeObjectStore } from "./contract.ts";

/** The server that `scripts/with-ceph.sh` started, or whatever else the environment names. */
const settings: S3Settings = {
	endpoint: process.env.S3_ENDPOINT!,
	bucket: process.env.S3_BUCKET!,
	region: process.env.S3_REGION!,
	accessKeyId: process.env.S3_ACCESS_KEY_ID!,
	secretAccessKey: process.env.S3_SECRET_ACCESS_KEY!,
};

describeObjectStore("Ceph RADOS Gateway", () => new S3Store(settings));

it("wrong credentials or a missing bucket: no clear answer, not an absent object", async () => {
	for (const wrong of [{ secretAccessKey: "wrong" }, { bucket: "no-such-bucket" }]) {
		const store = new S3Store({ ...settings, ...wrong });
		await expect(store.get("a")).rejects.toMatchObject({ name: "StoreUnavailable" });
		await expect(store.list("a")).rejects.toMatchObject({ name: "StoreUnavailable" });
		expect((await store.put("a", new Uint8Array(1), { ifAbsent: true })).kind).toBe("unknown");
	}
});
