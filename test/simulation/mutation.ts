import type { Mutation } from "../../src/log/mutations.ts";

/** A rule that is switched off for a whole run, to show that the simulation notices. */
export type SimulatedMutation = Mutation | "ids-fixed-on-arrival" | "duplicate-before-if-match";
