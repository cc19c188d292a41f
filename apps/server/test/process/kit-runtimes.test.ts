import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installPacked } from "../../../../packages/cli/test/support/install-packed";
import { install } from "../../../../packages/client/robustness/install";
import { chatWith } from "../support/chat";
import { runPageInHermes } from "../support/runtimes/hermes";
import type { Place } from "../support/runtimes/page";
import { startServer, type TestServer } from "../support/server";

// The stores of the packed kit with a server, on what is not Node. npm has the runtimes, at the versions of the robustness suite.

const sources = join(import.meta.dirname, "../support/runtimes");
const packages = join(import.meta.dirname, "../../../../packages");
const runtimes: { package: string; version: string }[] = JSON.parse(
  readFileSync(join(packages, "client/robustness/runtimes.json"), "utf8"),
);

// A real path: a package finds what it depends on beside its real folder.
const folder = realpathSync(mkdtempSync(join(tmpdir(), "madang-runtimes-")));
let server: TestServer;
beforeAll(async () => {
  installPacked(["packages/client", "packages/react"], folder);
  for (const file of ["page.ts", "react-native.ts", "hermes-page.ts"])
    copyFileSync(join(sources, file), join(folder, file));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const main = `import { runPage } from "./page.ts";
    console.log(JSON.stringify(await runPage(JSON.parse(process.argv[2]))));
    process.exit();`;
  writeFileSync(join(folder, "main.ts"), main);
  server = await startServer();
}, 600_000);
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true });
});

/** A channel of Kim and Park, with their tokens. */
async function createPlace(name: string): Promise<Place> {
  const chat = chatWith(server);
  const [channelId, ...ids] = [`lunch_${name}`, `kim_${name}`, `park_${name}`] as const;
  for (const user_id of ids) await chat.users.create({ user_id, name: user_id });
  await chat.channels.create({ channel_id: channelId, name: "Lunch", members: ids });
  const signIn = async (userId: string) => ({ userId, token: (await chat.users.createToken(userId)).token });
  return { url: server.url, channelId, kim: await signIn(ids[0]), park: await signIn(ids[1]) };
}

const shown = [
  "Lunch: Noon?",
  "Lunch: Noon?, Noon!",
  "Lunch: Noon?, Noon!",
  "Lunch: Noon?, Noon!, Here (sending)",
  "Lunch: Noon?, Noon!, Where?, Here",
];

test.each([
  ["bun", ["run"]],
  ["deno", ["run", "--allow-all", "--node-modules-dir=manual"]],
])(
  "%s: a page sends, receives, starts without a connection and sends what was written then",
  async (name, words) => {
    const version = runtimes.find((runtime) => runtime.package === name)?.version;
    const bin = join(await install(`${name}-${version}`, [`${name}@${version}`]), ".bin", name);
    const place = JSON.stringify(await createPlace(name));
    const { stdout } = await promisify(execFile)(bin, [...words, "main.ts", place], {
      cwd: folder,
      timeout: 120_000,
    });
    expect(JSON.parse(stdout)).toEqual(shown);
  },
);

// Its program is for 64-bit Linux.
test.skipIf(process.platform !== "linux" || process.arch !== "x64")(
  "Hermes, with what React Native adds to it: the same",
  async () => {
    expect(await runPageInHermes(folder, await createPlace("hermes"))).toEqual(shown);
  },
);
