import { serveHttp } from "@madang/mcp";

const server = await serveHttp({ baseUrl: "http://127.0.0.1:3000", port: 3100, readOnly: true });
console.log(server.url);
