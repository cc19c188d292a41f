// What `npm test` does on a fresh clone: install, lint, generate, type-check, build, test. Turbo skips what did not change.
import { step } from "./step.mjs";

step("npm", ["run", "--silent", "setup"]);
step("biome", ["ci", "--error-on-warnings", "."]);
step("turbo", ["run", "typecheck", "build", "test", "--output-logs=new-only", "--concurrency=2"]);
