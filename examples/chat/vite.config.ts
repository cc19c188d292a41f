import { getRequestListener } from "@hono/node-server";
import react from "@vitejs/plugin-react";
import { defineConfig, loadEnv, type Plugin } from "vite";
import { people } from "./server/people.ts";

// The server reads MADANG_URL and MADANG_API_KEY of `.env`. Of these, the page gets the address alone.
Object.assign(process.env, loadEnv("", process.cwd(), "MADANG_"), process.env);

/** While you develop, the routes of the server are those of Vite. */
const routes: Plugin = {
  name: "routes",
  async configureServer(vite) {
    const { app } = await vite.ssrLoadModule("/server/app.ts");
    vite.middlewares.use((request, response, next) =>
      request.url?.startsWith("/chat-token") ? getRequestListener(app.fetch)(request, response) : next(),
    );
    const { printUrls } = vite;
    vite.printUrls = () => {
      printUrls();
      for (const [user, name] of Object.entries(people))
        vite.config.logger.info(`  ${name}: http://localhost:${vite.config.server.port}/?user=${user}`);
    };
  },
};

export default defineConfig({
  envPrefix: ["MADANG_URL"],
  plugins: [react(), routes],
  server: { port: 4000, strictPort: true },
  build: {
    rollupOptions: {
      input: ["index.html", "src/service-worker.ts"],
      // A service worker has one address for all versions.
      output: {
        entryFileNames: ({ name }) => (name === "service-worker" ? "[name].js" : "assets/[name]-[hash].js"),
      },
    },
  },
});
