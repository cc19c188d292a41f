import { expect, test } from "vitest";
import { openApiDocument } from "./document";

test("the file in the repository is what the contract says now", async () => {
  await expect(`${JSON.stringify(openApiDocument(), undefined, 2)}\n`).toMatchFileSnapshot(
    "../../openapi.json",
  );
});
