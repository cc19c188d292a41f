// Strangers' tools against the contract, the SDK and a server that is started for them: one line a tool.
import { step } from "./step.mjs";

step("npm", ["run", "--silent", "setup"]);
step("turbo", ["run", "build", "generate", "--filter=@madang/prove...", "--output-logs=errors-only"]);
step("node", ["prove/src/main.ts", "--journeys"]);
