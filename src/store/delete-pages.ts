/** S3 and R2 take at most so many keys in one request to delete. */
export const deletePageSize = 1000;

/** The keys in groups that one request can delete. */
export function* deletePages(keys: readonly string[]): Generator<readonly string[]> {
	for (let start = 0; start < keys.length; start += deletePageSize) {
		yield keys.slice(start, start + deletePageSize);
	}
}
