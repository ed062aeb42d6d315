/**
 * The namespace that a `Leaflog-Namespace` header names: visible ASCII and spaces as they are, anything else as RFC 8187
 * writes it, `UTF-8''na%C3%AFve`. Undefined where it names none.
 */
export function namespaceOf(header: string): string | undefined {
	const encoded = /^utf-8''(.*)$/is.exec(header)?.[1];
	const name = encoded === undefined ? header : decoded(encoded);
	if (name === undefined || name === "") return undefined;
	return encoded !== undefined || /^[\x20-\x7e]+$/.test(name) ? name : undefined;
}

function decoded(text: string): string | undefined {
	if (!/^(?:[A-Za-z0-9!#$&+.^_`|~-]|%[0-9a-f]{2})*$/i.test(text)) return undefined;
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}
