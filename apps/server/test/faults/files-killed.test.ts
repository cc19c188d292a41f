import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { compareFiles } from "../../src/modules/files/compare-store";
import { createFileAddresses } from "../../src/modules/files/storage/addresses";
import { findOwner } from "../../src/modules/files/storage/marker-store";
import { openStorage } from "../../src/modules/files/storage/open-storage";
import { sweepFiles } from "../../src/modules/files/sweep-store";
import { call } from "../support/call";
import { collect } from "../support/collect";
import { createDatabase, openDatabase } from "../support/database";
import { report, scale } from "../support/report";
import { startS3 } from "../support/s3";
import { superviseProcess } from "./process";

const writers = 6;
const kills = scale(4, 20);
const dayMs = 86_400_000;
const room = "/v1/group/channels/room_1";

describe.each(["folder", "S3"])("files in %s", (kind) => {
  test("the storage contains what the table says after kills during uploads, sends and deletions", async () => {
    const database = await createDatabase();
    const folder = await mkdtemp(join(tmpdir(), "madang-files-"));
    const s3 = kind === "S3" ? await startS3() : undefined;
    const settings = s3?.settings ?? { MADANG_FILES: `folder:${folder}` };
    const start = (own: Readonly<Record<string, string>> = {}) =>
      superviseProcess(database.url, { ...own, ...settings });
    let server = await start();
    const { url } = server;
    await call(url, "POST", "/v1/users", { body: { user_id: "kim_01", name: "Kim" } });
    await call(url, "POST", "/v1/group/channels", {
      body: { channel_id: "room_1", name: "Room", members: ["kim_01"] },
    });
    let isOver = false;
    let done = 0;
    /** The files that an acknowledged message has, and that no acknowledged request has deleted. */
    const kept = new Set<string>();
    const act = async (turn: number) => {
      const bytes = Buffer.alloc(1 + ((turn * 7_919) % 300_000), "f");
      const { body: file } = await call(url, "POST", "/v1/files", {
        body: {
          channel_id: "room_1",
          user_id: "kim_01",
          name: "a.bin",
          type: "text/plain",
          size: bytes.length,
        },
      });
      if (turn % 7 === 0) return;
      const { ok } = await fetch(file.upload.url, {
        method: "PUT",
        headers: file.upload.headers,
        body: bytes,
      });
      if (!ok) return;
      if (turn % 5 === 0) return void (await call(url, "DELETE", `/v1/files/${file.file_id}`));
      const { status, body } = await call(url, "POST", `${room}/messages`, {
        body: { user_id: "kim_01", type: "text", attachments: [{ file_id: file.file_id }] },
      });
      if (status !== 201) return;
      if (turn % 2 === 0) return void kept.add(file.file_id);
      await call(url, "DELETE", `${room}/messages/${body.message_id}`);
    };
    const load = Array.from({ length: writers }, async (_, writer) => {
      for (let turn = writer; !isOver; turn += writers)
        await act(turn).then(
          () => {
            done += 1;
          },
          () => sleep(5),
        );
    });
    for (let kill = 0; kill < kills; kill++) {
      const goal = done + scale(20, 60);
      while (done < goal) await sleep(2);
      await server.end("SIGKILL");
      server = await start({ PORT: new URL(url).port });
    }
    isOver = true;
    await Promise.all(load);
    await server.end("SIGTERM");

    const db = await openDatabase(database.url);
    const now = Date.now;
    const addresses = createFileAddresses([Buffer.alloc(32)], now);
    const { storage } = await openStorage({
      setting: settings.MADANG_FILES ?? "",
      environment: settings,
      addresses,
      // As if a day had passed: what was never sent goes too, and the parts of cut uploads are old.
      now: kind === "S3" ? now : () => now() + dayMs + 1,
      makeId: () => "none",
      isWriting: true,
      owner: await findOwner(db, randomBytes),
      onError: () => undefined,
    });
    if (storage === undefined) throw new Error("There is a storage.");
    await db.query(makeFilesOlder, [dayMs + 1]);
    while (await sweepFiles(db, storage));
    await storage.removeCutUploads();
    const differences = await collect(compareFiles(db, storage));
    expect(differences).toEqual([]);
    const rows = await db.query<{ id: string }>({
      name: "test.list-files",
      text: "SELECT file_id AS id FROM files WHERE status = 'ready' AND message_pk IS NOT NULL",
    });
    const left = await db.query({
      name: "test.count-files",
      text: "SELECT 1 FROM files WHERE message_pk IS NULL",
    });
    expect(left).toEqual([]);
    const stored = new Set(rows.map(({ id }) => id));
    expect([...kept].filter((id) => !stored.has(id))).toEqual([]);
    const found = await collect(storage.list());
    expect(new Set(found.map(({ fileId }) => fileId))).toEqual(stored);
    await report({
      fault: `kill -9 of the server ${kills} times during uploads, sends and deletions of files in ${kind}: storage and table compared`,
      load: `${writers} writers`,
      sent: done,
      acknowledged: kept.size,
    });
    await db.close();
    await database.drop();
    await s3?.close();
    await rm(folder, { recursive: true });
  });
});

const makeFilesOlder = {
  name: "test.make-files-older",
  text: "UPDATE files SET created_at = created_at - $1 RETURNING 1",
};
