/** List prices of requests, dollars a million. */
export interface Prices {
	readonly name: string;
	/** PUT and LIST. */
	readonly write: number;
	/** GET. */
	readonly read: number;
	/** Dollars for a gigabyte and month. */
	readonly storage: number;
}

/** https://developers.cloudflare.com/r2/pricing/ — class A and class B operations, standard storage; no egress fee. */
export const r2: Prices = { name: "R2", write: 4.5, read: 0.36, storage: 0.015 };

/** https://aws.amazon.com/s3/pricing/ — S3 Standard, us-east-1; traffic within the region is free. */
export const s3: Prices = { name: "S3", write: 5, read: 0.4, storage: 0.023 };

/** Requests of one operation. */
export interface Requests {
	readonly puts: number;
	readonly lists: number;
	readonly gets: number;
}

/** Dollars for a million operations of so many requests each. */
export function priceOfMillion(requests: Requests, prices: Prices): number {
	return (requests.puts + requests.lists) * prices.write + requests.gets * prices.read;
}
