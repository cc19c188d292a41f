// What `npm run cluster` does: runs the tests of the server on a database that Citus distributes over two workers.
import { step } from "./step.mjs";

if (process.env.MADANG_TEST_CITUS === undefined) {
  process.stdout.write(
    "Skipped: MADANG_TEST_CITUS is not set. Install PostgreSQL with Citus 13.2, and set it to the folder that pg_config --bindir prints.\n",
  );
} else {
  step("npm", ["run", "--silent", "setup"]);
  step("turbo", ["run", "cluster", "--filter=@madang/server", "--output-logs=new-only", "--env-mode=loose"]);
}
