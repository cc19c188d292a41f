// `pnpm run compare`: this SDK and four others from npm on one hostile server, and what each costs. Writes docs/comparison.md.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPeers } from "./compare/peers.mjs";
import { rows } from "./compare/rows.mjs";
import { startServer } from "./compare/server.mjs";
import { measure, programs } from "./compare/sizes.mjs";

const root = join(import.meta.dirname, "..");
const folder = join(root, "node_modules/.cache/compare");
const names = Object.keys(programs);
mkdirSync(folder, { recursive: true });

// In its own process, unaffected by what this one has loaded.
const overhead = JSON.parse(
  execFileSync(process.execPath, [join(root, "scripts/overhead.mjs")], { encoding: "utf8" }),
);
const tarball = packSdk();
const tsc = join(root, "node_modules/typescript/bin/tsc");
const costs = {};
for (const name of names) costs[name] = await measure(name, folder, tarball, tsc);
installPeers();
const behaviour = await observe();
const versions = names.map((name) => readVersion(name));

const table = (header, lines) =>
  [
    `| ${header.join(" | ")} |`,
    `|${header.map(() => "---").join("|")}|`,
    ...lines.map((cells) => `| ${cells.join(" | ")} |`),
  ].join("\n");
const cost = (label, format) => [label, ...names.map((name) => format(costs[name]))];
const text = `# Measured beside others

\`pnpm run compare\` installs the newest four from npm, runs all five and writes this page. Node ${process.versions.node}.

${table(
  ["on the same hostile server", ...versions],
  Object.entries(behaviour).map(([row, cells]) => [row, ...cells]),
)}

${table(
  ["what one call costs", ...versions],
  [
    cost("bundle, minified, gzip", ({ gzipKb }) => `${gzipKb.toFixed(1)} KB`),
    cost("installed", ({ installMb }) => `${installMb.toFixed(2)} MB`),
    cost("packages", ({ packages }) => packages),
    cost("types in a check of one file", ({ types }) => types),
    cost("hover of the method, characters", ({ hover }) => hover),
  ],
)}

Over a bare \`fetch\` on loopback, medians: ${overhead.callMs.toFixed(2)} ms a call (of ${overhead.bareCallMs.toFixed(2)}), ${(overhead.pageShare * 100).toFixed(0)} % on pages of
1,000 messages (${overhead.pageMs.toFixed(1)} ms). Checking such a page against the contract takes ${(overhead.checkShare * 100).toFixed(0)} % of its transfer and \`JSON.parse\`.
`;
writeFileSync(join(root, "docs/comparison.md"), text);
console.log(text);
process.exit(0);

async function observe() {
  const server = await startServer();
  const behaviour = {};
  for (const [row, [script, find]] of Object.entries(rows)) {
    behaviour[row] = [];
    for (const name of names) {
      const run = `${script}/${name}`;
      server.reset(run);
      const send = async (input, init) => {
        const { pathname, search } = new URL(input instanceof Request ? input.url : String(input));
        return fetch(`${server.address}/${run}${pathname}${search}`, init);
      };
      const peers = await createPeers(join(folder, "peers/package.json"), send);
      const finding = await find(
        peers[name],
        () => server.urlsOf(run).length,
        () => server.urlsOf(run).at(-1),
      );
      behaviour[row].push(finding);
    }
  }
  return behaviour;
}

function packSdk() {
  execFileSync("pnpm", ["pack", "--pack-destination", folder], { cwd: root, stdio: "pipe" });
  return join(
    folder,
    readdirSync(folder).find((name) => name.endsWith(".tgz")),
  );
}

function installPeers() {
  const project = join(folder, "peers");
  mkdirSync(project, { recursive: true });
  if (!existsSync(join(project, "package.json"))) writeFileSync(join(project, "package.json"), "{}");
  const packages = names.filter((name) => name !== "madang").flatMap((name) => programs[name][0]);
  execFileSync("npm", ["install", "--no-audit", "--no-fund", ...packages], { cwd: project, stdio: "pipe" });
}

function readVersion(name) {
  const [first] = programs[name][0];
  const { version } = JSON.parse(
    readFileSync(join(folder, name, "node_modules", first, "package.json"), "utf8"),
  );
  return `${first} ${version}`;
}
