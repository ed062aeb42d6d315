import { MemoryStore } from "../../src/store/memory.ts";
import { describeObjectStore } from "./contract.ts";

describeObjectStore("memory", () => new MemoryStore({ now: Date.now }));
