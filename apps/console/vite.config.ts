import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The server that `npm run dev` in this folder uses. */
const target = process.env.MADANG_URL ?? "http://127.0.0.1:3000";

export default defineConfig(({ command }) => ({
  // The server may be below a path: files of a build refer to each other, and the server completes the addresses in the page.
  base: command === "build" ? "./" : "/console/",
  plugins: [react()],
  build: {
    target: "es2022",
    // The policy of the page forbids data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The licences of what is bundled.
    license: { fileName: "licenses.md" },
  },
  server: { proxy: { "/v1": { target }, "/console/session": { target } } },
}));
