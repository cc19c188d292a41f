import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The page knows the address of the service, and nothing else of the environment. */
export default defineConfig({
  root: `${import.meta.dirname}/page`,
  envPrefix: ["MADANG_URL"],
  plugins: [react()],
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    rollupOptions: {
      input: [`${import.meta.dirname}/page/index.html`, `${import.meta.dirname}/page/service-worker.ts`],
      // A service worker has one address for all versions.
      output: {
        entryFileNames: ({ name }) => (name === "service-worker" ? "[name].js" : "assets/[name]-[hash].js"),
      },
    },
  },
});
