import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/*
 * The program that runs Parse Server in a process of its own: as its documentation starts it, on PostgreSQL, with as
 * many connections as our server has. It is installed only for such a run, hence no import.
 */

const { PARSE_FOLDER = "", DATABASE_URL = "", PARSE_MASTER_KEY = "" } = process.env;
process.chdir(PARSE_FOLDER);
const require = createRequire(join(PARSE_FOLDER, "package.json"));
const express = require("express");
const { ParseServer } = require("parse-server");

const http = createServer();
await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
// A server that listens on a port has an address of this form.
const { port } = http.address() as AddressInfo;
const parse = new ParseServer({
  databaseURI: `${DATABASE_URL}?poolSize=20`,
  appId: "bench",
  masterKey: PARSE_MASTER_KEY,
  serverURL: `http://127.0.0.1:${port}/parse`,
});
await parse.start();
const app = express();
app.use("/parse", parse.app);
http.on("request", app);
process.stdout.write(`\nhttp://127.0.0.1:${port}\n`);
process.once("SIGTERM", () => process.exit());
