import { connect, type Socket } from "node:net";

/** A connection on which anything can be said, and what came back. */
export class RawConnection {
	readonly socket: Socket;
	received = Buffer.alloc(0);
	/** Resolves when the other side has ended or broken it. */
	readonly closed: Promise<void>;

	constructor(port: number) {
		this.socket = connect({ port, host: "127.0.0.1" });
		this.socket.on("data", (chunk) => {
			this.received = Buffer.concat([this.received, chunk]);
		});
		this.socket.on("error", () => {});
		this.closed = new Promise((resolve) => {
			this.socket.once("end", resolve);
			this.socket.once("close", () => resolve());
		});
	}

	/** Resolves when the bytes were taken by the system, or the connection has ended. */
	send(bytes: string | Uint8Array): Promise<void> {
		return new Promise((resolve) => {
			if (!this.socket.writable) return resolve();
			this.socket.once("close", resolve);
			this.socket.write(bytes, () => {
				this.socket.off("close", resolve);
				resolve();
			});
		});
	}

	get text(): string {
		return this.received.toString("latin1");
	}

	/** Status of each answer so far. */
	get statuses(): number[] {
		return [...this.text.matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g)].map(([, status]) => Number(status));
	}

	end(): void {
		this.socket.destroy();
	}
}
