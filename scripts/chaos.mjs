// What `npm run chaos` does: runs the race, fault and property tests at full length and prints a table of results.
import { step } from "./step.mjs";

step("npm", ["run", "--silent", "setup"]);
step("turbo", ["run", "chaos", "--filter=@madang/server", "--output-logs=new-only", "--env-mode=loose"]);
