// What `npm run chaos` does: the tests of faults, races and attacks in their long form, and a table of what they saw.
import { step } from "./step.mjs";

step("npm", ["run", "--silent", "setup"]);
step("turbo", ["run", "chaos", "--filter=@madang/server", "--output-logs=new-only", "--env-mode=loose"]);
