// What `npm run chaos` does: runs the race, fault and property tests at full length and prints tables of results.
import { step } from "./step.mjs";

step("npm", ["run", "--silent", "setup"]);
step("turbo", [
  "run",
  "chaos",
  "--filter=@madang/server",
  "--filter=@madang/cli",
  "--output-logs=new-only",
  "--env-mode=loose",
  // One suite after the other: both need the machine.
  "--concurrency=1",
]);
