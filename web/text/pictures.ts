const pictureType = /^image\/(?:png|jpeg|gif|webp)$/;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** True for the types of pictures that are shown; SVG, which can hold scripts, is none of them. */
export function isPictureType(mimeType: unknown): mimeType is string {
	return typeof mimeType === "string" && pictureType.test(mimeType);
}

/** The address of a picture that holds the picture itself; undefined for what is no picture of these types. */
export function pictureUrl(mimeType: unknown, data: unknown): string | undefined {
	if (!isPictureType(mimeType) || typeof data !== "string" || !base64.test(data)) return undefined;
	return `data:${mimeType};base64,${data}`;
}
