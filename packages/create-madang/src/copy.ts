import { randomBytes } from "node:crypto";
import { cp, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const templates = ["vite", "next", "expo"] as const;
export type Template = (typeof templates)[number];

const source = fileURLToPath(new URL("templates/", import.meta.url));

export interface Project {
  readonly folder: string;
  readonly template: string;
  /** Where Madang is, and a key of it: both go into `.env`. */
  readonly url: string;
  readonly key: string;
  /** A folder with packed packages, which are used instead of those of npm. */
  readonly packages: string | undefined;
}

/** Copies a template into a folder that does not exist yet or is empty. */
export async function createProject({ folder, template, url, key, packages }: Project): Promise<void> {
  expectTemplate(template);
  await expectEmpty(folder);
  await cp(join(source, template), folder, { recursive: true });
  await rename(join(folder, "gitignore"), join(folder, ".gitignore"));
  const settings = {
    MADANG_URL: url,
    MADANG_API_KEY: key,
    ...(template === "next" && { SESSION_SECRET: randomBytes(32).toString("hex") }),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  // Only the owner may read the key.
  await writeFile(join(folder, ".env"), lines.join(""), { mode: 0o600 });
  const file = join(folder, "package.json");
  const project = JSON.parse(await readFile(file, "utf8"));
  project.name = toPackageName(folder);
  if (packages !== undefined) Object.assign(project.dependencies, await usePacked(packages, folder));
  await writeFile(file, `${JSON.stringify(project, null, 2)}\n`);
}

/** Copies the components of a template alone. */
export async function addComponents(folder: string, template: string): Promise<void> {
  expectTemplate(template);
  await expectEmpty(folder);
  await cp(join(source, componentsOf[template]), folder, { recursive: true });
}

const componentsOf: Record<Template, string> = {
  vite: "vite/src/chat",
  next: "next/chat",
  expo: "expo/chat",
};

function expectTemplate(template: string): asserts template is Template {
  if (!templates.some((each) => each === template))
    throw new Error(`There is no template ${template}: choose one of ${templates.join(", ")}.`);
}

async function expectEmpty(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error.code === "ENOTDIR" ? new Error(`${folder} is a file.`) : error;
  });
  if (found.length > 0) throw new Error(`${folder} is not empty. Nothing was written.`);
}

/** npm has rules for the names of packages. */
function toPackageName(folder: string): string {
  const name = basename(resolve(folder)).toLowerCase();
  return name.replace(/[^a-z0-9._~-]+/g, "-").replace(/^[._-]+/, "") || "my-chat";
}

/** Copies packed packages into a project. Returns its dependencies on them. */
async function usePacked(packages: string, folder: string): Promise<Record<string, string>> {
  const files = (await readdir(packages)).filter((name) => /^madang-(client|react)-.+\.tgz$/.test(name));
  if (files.length !== 2) throw new Error(`${packages} has no packed @madang/client and @madang/react.`);
  await mkdir(join(folder, "packages"));
  const dependencies: Record<string, string> = {};
  for (const file of files) {
    await cp(join(packages, file), join(folder, "packages", file));
    dependencies[`@madang/${file.split("-")[1]}`] = `file:packages/${file}`;
  }
  return dependencies;
}
