/** Serves the page on loopback. Any other static server does as well: `python3 -m http.server 8790`. */
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";

const page = new Hono().get("/", serveStatic({ root: import.meta.dirname, path: "index.html" }));
const port = Number(process.env.PORT ?? 8790);
serve({ fetch: page.fetch, hostname: "127.0.0.1", port }, () =>
	console.log(`The page is at http://127.0.0.1:${port}`),
);
