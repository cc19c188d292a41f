// What `npm start` does on a fresh clone, with plain Node: install, build, serve.
import { startServer } from "./start-server.mjs";
import { step } from "./step.mjs";

step("npm", ["run", "--silent", "setup"]);
step("turbo", ["run", "build", "--filter=@madang/server", "--output-logs=errors-only"]);
startServer();
