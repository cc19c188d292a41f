import { execFileSync, spawn } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { engine, limitOptions, require } from "./engine";

export const root = fileURLToPath(new URL("../../../../", import.meta.url));
export const image = "localhost/madang-test";
/** A key in the folder that is built, as a developer may have one. */
export const canary = "mk_a-key-that-must-not-be-in-the-image";

/** Podman writes health checks only in the format of Docker, and would keep the layers of the first stage. */
const podmanOptions = engine === "podman" ? ["--format=docker", "--layers=false"] : [];

/** Builds the Dockerfile on a base. */
export async function buildImage(base: string): Promise<void> {
  const folder = await copySources();
  try {
    const from = ["--build-arg", `BASE=${base}`];
    await require("build", ...podmanOptions, "--network=host", ...limitOptions, ...from, "--tag", image, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether a text is in the layers of the image, which the engine writes without compression. */
export function isInArchive(text: string): Promise<boolean> {
  const archive = spawn(engine ?? "", ["save", image], { stdio: ["ignore", "pipe", "inherit"] });
  let rest = "";
  let isFound = false;
  archive.stdout.on("data", (chunk: Buffer) => {
    const part = rest + chunk.toString("latin1");
    isFound ||= part.includes(text);
    rest = part.slice(-text.length);
  });
  return new Promise((resolve) => archive.once("close", () => resolve(isFound)));
}

/** The files of the repository, and an `.env` with a key. */
async function copySources(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "madang-image-"));
  const list = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const paths = execFileSync("git", list, { cwd: root, encoding: "utf8" }).split("\0");
  for (const path of paths.filter((each) => each !== ""))
    await cp(join(root, path), join(folder, path), { recursive: true });
  await writeFile(join(folder, ".env"), `MADANG_MASTER_KEY=${canary}\n`);
  return folder;
}
