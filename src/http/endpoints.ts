import type { Endpoint } from "./endpoint.ts";
import { branchEndpoints } from "./routes/branch.ts";
import { compactionEndpoints } from "./routes/compaction.ts";
import { entryEndpoints } from "./routes/entries.ts";
import { eventEndpoints } from "./routes/events.ts";
import { forkEndpoints } from "./routes/forks.ts";
import { leafEndpoints } from "./routes/leaf.ts";
import { mediaEndpoints } from "./routes/media.ts";
import { namespaceEndpoints } from "./routes/namespace.ts";
import { navigationEndpoints } from "./routes/navigation.ts";
import { sessionListEndpoints } from "./routes/session-lists.ts";
import { sessionEndpoints } from "./routes/sessions.ts";
import { shareEndpoints } from "./routes/shares.ts";
import { transferEndpoints } from "./routes/transfer.ts";

/** All calls under /v1, in the order of the documents. */
export const endpoints: readonly Endpoint[] = [
	...sessionEndpoints,
	...sessionListEndpoints,
	...entryEndpoints,
	...mediaEndpoints,
	...eventEndpoints,
	...leafEndpoints,
	...branchEndpoints,
	...navigationEndpoints,
	...compactionEndpoints,
	...forkEndpoints,
	...transferEndpoints,
	...shareEndpoints,
	...namespaceEndpoints,
];
