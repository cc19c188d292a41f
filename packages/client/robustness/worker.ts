import { runCases } from "./cases";

// biome-ignore lint/style/noDefaultExport: workerd calls the default export of a worker.
export default {
  async fetch(request: Request): Promise<Response> {
    const server = new URL(request.url).searchParams.get("server") ?? "";
    return new Response(JSON.stringify(await runCases(server)));
  },
};
