/** Puts the files of Swagger UI where they are served beside the app, for the page at /docs. */
import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { docsAssetsPath } from "../src/http/docs.ts";

const root = join(import.meta.dirname, "..");
const source = dirname(fileURLToPath(import.meta.resolve("swagger-ui-dist/package.json")));
const target = join(root, "dist/assets", docsAssetsPath);

mkdirSync(target, { recursive: true });
for (const file of ["swagger-ui.css", "swagger-ui-bundle.js", "LICENSE"]) {
	cpSync(join(source, file), join(target, file));
}
