// Run by the build: writes dist/THIRD-PARTY-NOTICES.md with the licence of every package that is bundled.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const metafile = join(root, "dist/metafile-esm.json");
const { outputs } = JSON.parse(readFileSync(metafile, "utf8"));
const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
const folders = new Set(
  inputs.map((input) => findPackage(join(root, input))).filter((folder) => folder !== root),
);
const notices = [...folders].flatMap(createNotices).toSorted();
const text = ["# Third-party notices", "`dist/` contains these packages.", ...notices].join("\n\n");
writeFileSync(join(root, "dist/THIRD-PARTY-NOTICES.md"), `${text}\n`);
rmSync(metafile);

/** The folder of the package that a file belongs to. */
function findPackage(file) {
  const folder = dirname(file);
  const manifest = join(folder, "package.json");
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).name
    ? folder
    : findPackage(folder);
}

function createNotices(folder) {
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  // A package of this repository has the licence of this one, and lists what it contains itself.
  const own = join(folder, "THIRD-PARTY-NOTICES.md");
  if (existsSync(own))
    return [
      readFileSync(own, "utf8")
        .replace(/^# .*\n+/, `## In ${name}\n\n`)
        .trim(),
    ];
  if (name.startsWith("@madang/")) return [];
  const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  if (licence === undefined) throw new Error(`${name} has no licence file.`);
  return [`## ${name} ${version}\n\n${readFileSync(join(folder, licence), "utf8").trim()}`];
}
