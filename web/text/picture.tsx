import { useEffect, useState } from "preact/hooks";
import type { Api } from "../api/api.ts";
import { isPictureType, pictureUrl } from "./pictures.ts";

interface Block {
	readonly mimeType?: unknown;
	readonly data?: unknown;
	readonly href?: unknown;
	readonly bytes?: unknown;
}

/** A picture of a message, loaded where the answer holds only a link to it. What is none of the known types is named. */
export function Picture({ api, block }: { api: Api; block: Block }) {
	const { mimeType, data, href } = block;
	const [loaded, setLoaded] = useState<string>();
	const wanted = isPictureType(mimeType) && typeof data !== "string" && typeof href === "string";
	useEffect(() => {
		if (!wanted) return;
		let here = true;
		base64Of(api, href)
			.then((text) => here && setLoaded(pictureUrl(mimeType, text)))
			.catch(() => {});
		return () => {
			here = false;
		};
	}, [api, wanted, href]);
	const url = pictureUrl(mimeType, data) ?? loaded;
	if (url !== undefined) return <img class="picture" src={url} alt="Of this message" />;
	const size = typeof block.bytes === "number" ? `, ${block.bytes.toLocaleString()} bytes` : "";
	return (
		<p class="no-picture">
			{wanted ? "Loading " : "Not shown: "}
			{typeof mimeType === "string" ? mimeType : "a picture of no known type"}
			{size}
		</p>
	);
}

async function base64Of(api: Api, href: string): Promise<string> {
	const bytes = new Uint8Array(await (await api.media(href)).arrayBuffer());
	let binary = "";
	for (let at = 0; at < bytes.length; at += 0x8000)
		binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
	return btoa(binary);
}
