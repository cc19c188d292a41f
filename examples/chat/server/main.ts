// Serves the built page and its route. Needs Node 22.18 or later, which reads TypeScript.
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { compress } from "hono/compress";
import { app } from "./app.ts";
import { people } from "./people.ts";

app.use(compress(), serveStatic({ root: `${import.meta.dirname}/../dist` }));

const port = Number(process.env.PORT ?? 4000);
serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, () => {
  for (const [user, name] of Object.entries(people))
    console.log(`${name}: http://localhost:${port}/?user=${user}`);
});
