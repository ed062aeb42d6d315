import { Hono } from "hono";
import type { AppEnv } from "./environment.ts";

/** Where the files of Swagger UI are served, beside the app: `scripts/copy-docs-assets.ts` puts them there. */
export const docsAssetsPath = "/docs-assets";

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Leaflog API</title>
<link rel="stylesheet" href="${docsAssetsPath}/swagger-ui.css">
</head>
<body>
<div id="docs"><p>The document itself: <a href="/openapi.json">/openapi.json</a></p></div>
<script src="${docsAssetsPath}/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const start = `SwaggerUIBundle({ url: "/openapi.json", dom_id: "#docs", deepLinking: true, validatorUrl: null });
`;

/** Nothing from elsewhere, no script but our own. Swagger UI writes style attributes and draws with data URLs. */
const policy =
	"default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A page to read the API and to try it. */
export function docs(): Hono<AppEnv> {
	const app = new Hono<AppEnv>();
	app.get("/docs", (c) => {
		c.header("Content-Security-Policy", policy);
		c.header("Cache-Control", "no-cache");
		return c.html(page);
	});
	app.get("/docs/start.js", (c) => {
		c.header("Cache-Control", "no-cache");
		return c.body(start, 200, { "Content-Type": "text/javascript; charset=utf-8" });
	});
	return app;
}
