import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The page knows the address of the service, and nothing else of the environment. */
export default defineConfig({
  root: `${import.meta.dirname}/page`,
  envPrefix: ["MADANG_URL"],
  plugins: [react()],
  build: { outDir: "../dist", emptyOutDir: true },
});
