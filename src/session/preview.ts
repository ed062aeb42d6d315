import type { Meta } from "./summary.ts";
import { previewOf } from "./text.ts";

/** One line that tells what an entry is, from its index record; "" where there is nothing to tell. */
export function preview(kind: string, meta: Meta): string {
	if (typeof meta.v === "string") return meta.v;
	switch (kind) {
		case "model_change":
			return Array.isArray(meta.m) ? meta.m.filter((part) => typeof part === "string").join("/") : "";
		case "thinking_level_change":
			return text(meta.h);
		case "label":
			return text(meta.l);
		case "session_info":
			return text(meta.n);
		default:
			return "";
	}
}

function text(value: unknown): string {
	return typeof value === "string" ? previewOf(value) : "";
}
