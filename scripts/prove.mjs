// What `npm run prove` does: runs third-party tools against the contract, the SDK and a server, and prints one line each.
import { step } from "./step.mjs";

step("npm", ["run", "--silent", "setup"]);
step("turbo", ["run", "build", "generate", "--filter=@madang/prove...", "--output-logs=errors-only"]);
step("node", ["prove/src/main.ts", "--journeys"]);
