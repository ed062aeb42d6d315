import type { Endpoint } from "./endpoint.ts";
import { branchEndpoints } from "./routes/branch.ts";
import { entryEndpoints } from "./routes/entries.ts";
import { leafEndpoints } from "./routes/leaf.ts";
import { sessionEndpoints } from "./routes/sessions.ts";
import { transferEndpoints } from "./routes/transfer.ts";

/** All calls under /v1, in the order of the documents. */
export const endpoints: readonly Endpoint[] = [
	...sessionEndpoints,
	...entryEndpoints,
	...leafEndpoints,
	...branchEndpoints,
	...transferEndpoints,
];
