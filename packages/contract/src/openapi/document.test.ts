import { expect, test } from "vitest";
import { openApiDocument } from "./document";

test("openapi.json is up to date", async () => {
  await expect(`${JSON.stringify(openApiDocument(), undefined, 2)}\n`).toMatchFileSnapshot(
    "../../openapi.json",
  );
});
