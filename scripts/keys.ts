import { createHash, randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { scopes } from "../src/http/scopes.ts";

/**
 * `npm run keys -- --namespace NAME|'*' [--scopes sessions:read,sessions:write]`: makes an API key and shows it once.
 * What goes into `API_KEYS` holds only its hash.
 */
const { values } = parseArgs({
	options: { namespace: { type: "string" }, scopes: { type: "string", default: scopes.join(",") } },
});
const wanted = values.scopes.split(",");
const unknown = wanted.filter((scope) => !scopes.some((name) => name === scope));
if (values.namespace === undefined || values.namespace === "" || unknown.length > 0) {
	console.error(
		`--namespace is needed ('*': the one that each request names); --scopes are of ${scopes.join(",")}`,
	);
	process.exit(1);
}
const key = `llk_${randomBytes(32).toString("base64url")}`;
const sha256 = createHash("sha256").update(key).digest("hex");
console.error("The key, which is shown this once; whoever has it is let in:");
console.log(key);
console.error("\nTo be put into the array in API_KEYS:");
console.log(JSON.stringify({ sha256, namespace: values.namespace, scopes: wanted }));
