/**
 * Rules that can be switched off for a whole run, to show that the simulation notices. Two of them are kept by the
 * layer above the log, which `decisions.ts` stands for; two by the purge, which `cleaner.ts` calls.
 */
export const simulatedMutations = [
	"writeid-settling",
	"trust-window",
	"second-look",
	"ids-fixed-on-arrival",
	"duplicate-before-if-match",
	"probe-for-refusals",
	"probe-for-reads",
	"frozen-groups",
	"checks-against-group-mates",
	"wait-for-group-mates",
	"purge-delay",
	"commit-0-kept",
	"etag-pinned-ranges",
	"header-cover",
] as const;

export type SimulatedMutation = (typeof simulatedMutations)[number];
