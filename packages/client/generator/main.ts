// `pnpm run generate`: writes src/generated/ from the contract. With CI set, it only compares them.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { files } from "./files.ts";

const folder = new URL("../src/generated/", import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(files)) {
  const file = new URL(name, folder);
  if (!process.env.CI) writeFileSync(file, text);
  else if (readFileSync(file, "utf8") !== text)
    throw new Error(
      `src/generated/${name} is not what the contract says: run \`pnpm run generate\`, and commit it.`,
    );
}
