// `pnpm run readme`: puts the samples into the README, each behind the comment that names it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const path = join(root, "README.md");
const filled = readFileSync(path, "utf8").replace(
  /<!-- (samples\/[\w-]+\.ts) -->\n(\n?```ts\n[\s\S]*?\n```\n)?/g,
  (_, sample) => `<!-- ${sample} -->\n\n\`\`\`ts\n${readFileSync(join(root, sample), "utf8")}\`\`\`\n`,
);
writeFileSync(path, filled);
