/** Writes the client's types, `client/src/api.ts`, from `schemas/openapi.json`. `npm ci` runs it, and what needs them. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clientTypes } from "./client-types.ts";

const root = join(import.meta.dirname, "..");
const document = JSON.parse(readFileSync(join(root, "schemas/openapi.json"), "utf8"));
writeFileSync(join(root, "client/src/api.ts"), clientTypes(document));
