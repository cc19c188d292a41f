export {
  type HttpOptions,
  type HttpServer,
  type ServeOptions,
  type StdioOptions,
  serveHttp,
  serveStdio,
} from "./serve";
