import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { createFunctions } from "./functions";

// A new cluster gets it from `distribute`, an older one from the migration.
test("the migration creates madang_run_all as a new cluster has it", async () => {
  const file = new URL(
    "../../../prisma/migrations/20261123098300_reads_of_a_node/citus.sql",
    import.meta.url,
  );
  const created = createFunctions.filter((sql) => sql.includes("FUNCTION madang_run_all("));
  expect(created).toHaveLength(1);
  expect(await readFile(file, "utf8")).toContain(`${created[0]};\n`);
});
