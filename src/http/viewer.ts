import { Hono } from "hono";
import type { AppEnv } from "./environment.ts";

/** Where the viewer's files are served, beside the app: `scripts/build-viewer.ts` puts them there. */
export const viewerAssetsPath = "/app/assets";

const icon =
	"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Cpath d='M5 27C4 13 12 5 28 4c0 16-8 23-19 21' fill='%233f8f5f'/%3E%3Cpath d='M5 29C8 20 14 14 21 11' fill='none' stroke='%23dff3e4' stroke-width='2.2' stroke-linecap='round'/%3E%3C/svg%3E";

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Leaflog</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${viewerAssetsPath}/viewer.css">
</head>
<body>
<div id="viewer"></div>
<noscript>The viewer needs JavaScript.</noscript>
<script type="module" src="${viewerAssetsPath}/viewer.js"></script>
</body>
</html>
`;

/**
 * Nothing from elsewhere; no script and no style but our own files; pictures only as data; and nothing that could
 * turn a text into markup (https://www.w3.org/TR/trusted-types/).
 */
const policy =
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types 'none'";

/** A page to look at sessions. */
export function viewer(): Hono<AppEnv> {
	const app = new Hono<AppEnv>();
	app.get("/app", (c) => c.redirect("/app/"));
	app.get("/app/", (c) => {
		c.header("Content-Security-Policy", policy);
		c.header("Cache-Control", "no-cache");
		// No page that opened this one, or was opened by it, can reach it.
		c.header("Cross-Origin-Opener-Policy", "same-origin");
		return c.html(page);
	});
	return app;
}
