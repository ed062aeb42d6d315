import { env } from "cloudflare:workers";
import { R2Store } from "../../src/store/r2.ts";
import { describeObjectStore } from "./contract.ts";

describeObjectStore("R2 in workerd", () => new R2Store(env.BUCKET));
