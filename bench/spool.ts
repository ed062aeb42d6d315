import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where bytes lie in a spool. */
export interface Extent {
	readonly offset: number;
	readonly length: number;
}

/** Bytes, one after the other, in a temporary file that is gone when the process is: a gigabyte that takes no memory. */
export class Spool {
	readonly #file: number;
	length = 0;

	constructor() {
		const folder = mkdtempSync(join(tmpdir(), "leaflog-bench-"));
		this.#file = openSync(join(folder, "spool"), "w+");
		rmSync(folder, { recursive: true });
	}

	append(bytes: Uint8Array): Extent {
		const offset = this.length;
		for (let written = 0; written < bytes.length; ) {
			written += writeSync(this.#file, bytes, written, bytes.length - written, offset + written);
		}
		this.length += bytes.length;
		return { offset, length: bytes.length };
	}

	read({ offset, length }: Extent): Uint8Array {
		const bytes = new Uint8Array(length);
		for (let read = 0; read < length; ) {
			const count = readSync(this.#file, bytes, read, length - read, offset + read);
			if (count === 0) throw new RangeError(`the spool ends before ${offset + length}`);
			read += count;
		}
		return bytes;
	}

	close(): void {
		closeSync(this.#file);
	}
}
