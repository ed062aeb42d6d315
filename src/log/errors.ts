/** An object of the log that does not parse or verify. Names its key; never silently skipped. */
export class Corrupt extends Error {
	override readonly name = "Corrupt";
	readonly key: string;

	constructor(key: string, why: string) {
		super(`${key}: ${why}`);
		this.key = key;
	}
}

/** The log was deleted while its bodies were being read. */
export class LogGone extends Error {
	override readonly name = "LogGone";
}
