// Copies the examples to dist/templates, as projects that stand alone. What a person gets is what the tests of the examples run.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parse } from "yaml";

const root = join(import.meta.dirname, "../../..");
const templates = join(import.meta.dirname, "../dist/templates");
const { catalog } = parse(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8"));
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8"));

copy("examples/chat", "vite");
copy("examples/next", "next");
cpSync(join(root, "examples/chat/src/chat"), join(templates, "next/chat"), { recursive: true });
copy("examples/expo", "expo");
/** What needs no browser, and the server. */
const shared = {
  "src/chat": [
    "format.ts",
    "group-messages.ts",
    "icon-paths.ts",
    "menu-items.ts",
    "message-items.ts",
    "notices.ts",
    "preview.ts",
    "submit.ts",
    "text-parts.ts",
    "texts-en.ts",
    "texts-ko.ts",
    "texts.ts",
  ],
  server: ["app.ts", "people.ts"],
};
for (const [folder, files] of Object.entries(shared))
  for (const file of files)
    cpSync(
      join(root, "examples/chat", folder, file),
      join(templates, "expo", folder.replace("src/", ""), file),
    );

function copy(example, template) {
  const folder = join(root, example);
  for (const file of listFiles(folder)) {
    // npm leaves out files with this name.
    const target = join(templates, template, file.replace(/^\.gitignore$/, "gitignore"));
    mkdirSync(dirname(target), { recursive: true });
    if (file === "package.json") writeFileSync(target, standalone(join(folder, file)));
    else if (file === "tsconfig.json") writeFileSync(target, withOwnComponents(join(folder, file)));
    else cpSync(join(folder, file), target);
  }
  writeFileSync(join(templates, template, "README.md"), readme(template));
}

/** The files of an example, without what was installed, built or written into it. */
function listFiles(folder) {
  const isOwn = (path) =>
    !/(^|\/)(node_modules|dist|next-env\.d\.ts|tsconfig\.tsbuildinfo|\.next|\.packed|\.turbo|\.expo|\.env|[^/]+\.png)(\/|$)/.test(
      path,
    );
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll("\\", "/"))
    .filter(isOwn);
}

/** Here, the examples share the components. */
function withOwnComponents(file) {
  return readFileSync(file, "utf8").replace("../chat/src/chat/", "./chat/");
}

/** The comments are for the tests of this repository. */
function readme(template) {
  const text = readFileSync(join(import.meta.dirname, `../readmes/${template}.md`), "utf8");
  return text.replace(/^<!--.*-->\n/gm, "");
}

/** Outside this repository, there is no catalog and no workspace. What only Expo needs has a version of its own. */
function standalone(file) {
  const { name, scripts, dependencies, devDependencies, ...others } = JSON.parse(readFileSync(file, "utf8"));
  const { "build:page": build, ...rest } = scripts;
  const resolve = (packages) =>
    Object.fromEntries(
      Object.entries(packages).map(([each, range]) => [
        each,
        range.startsWith("workspace:") ? `^${version}` : range === "catalog:" ? `^${catalog[each]}` : range,
      ]),
    );
  const project = {
    name: "my-chat",
    ...others,
    scripts: { ...rest, build },
    dependencies: resolve(dependencies),
    devDependencies: resolve(devDependencies),
  };
  return `${JSON.stringify(project, null, 2)}\n`;
}
