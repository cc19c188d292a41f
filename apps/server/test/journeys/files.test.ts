import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChatClient } from "@madang/client";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Database } from "../../src/db/db";
import { compareFiles } from "../../src/modules/files/compare-store";
import { createFileAddresses } from "../../src/modules/files/storage/addresses";
import { findOwner } from "../../src/modules/files/storage/marker-store";
import { openStorage } from "../../src/modules/files/storage/open-storage";
import type { Storage } from "../../src/modules/files/storage/storage";
import { sweepFiles } from "../../src/modules/files/sweep-store";
import { call } from "../support/call";
import { collect } from "../support/collect";
import { createDatabase } from "../support/database";
import { finishErasures } from "../support/erasures";
import { createToken } from "../support/replay";
import { startS3, type TestS3 } from "../support/s3";
import { masterKey, startServer, startServerOn, type TestServer } from "../support/server";
import { sweepDeletedChannels } from "../support/sweep";
import { countWaiting } from "../support/until-blocking";

const hourMs = 3_600_000;
const png = Buffer.from("not really a PNG, and nobody looks");
const ofKim = { user_id: "kim_01", name: "menu.png", type: "image/png" };
const menu = { channel_id: "room_1", ...ofKim, size: png.length };

describe.each(["folder", "S3"])("stored in %s", (kind) => {
  let folder: string;
  let s3: TestS3 | undefined;
  let server: TestServer;
  let chat: ChatClient;
  let now = Date.now();

  let database: Awaited<ReturnType<typeof createDatabase>>;

  beforeAll(async () => {
    database = await createDatabase();
    folder = await mkdtemp(join(tmpdir(), "madang-files-"));
    s3 = kind === "S3" ? await startS3() : undefined;
    const settings = s3?.settings ?? { MADANG_FILES: `folder:${folder}` };
    server = await startServerOn(database.url, { settings, now: () => now });
    chat = new ChatClient({ baseUrl: server.url, apiKey: masterKey });
    await chat.users.create({ user_id: "kim_01", name: "Kim" });
    await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01"] });
  });
  beforeEach(() => {
    // S3 rejects a request that was signed minutes ago.
    now = Date.now();
  });
  afterAll(async () => {
    await server.close();
    await database.drop();
    await s3?.close();
    await rm(folder, { recursive: true });
  });

  const put = (url: string, body: Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
    fetch(url, { method: "PUT", headers, body });

  test("what was uploaded is read back, whole and in ranges, with the type and the name of the file", async () => {
    const { url = "" } = await chat.files.upload("room_1", png, { ...ofKim, name: "점심 메뉴.png" });
    const whole = await fetch(url);
    expect(whole.status).toBe(200);
    expect(Buffer.from(await whole.arrayBuffer()).equals(png)).toBe(true);
    expect(whole.headers.get("content-type")).toBe("image/png");
    expect(whole.headers.get("content-disposition")).toMatch(/^inline; filename="/);
    expect(decodeURIComponent(whole.headers.get("content-disposition") ?? "")).toContain("점심 메뉴.png");
    const part = await fetch(url, { headers: { range: "bytes=4-9" } });
    expect([part.status, await part.text()]).toEqual([206, png.subarray(4, 10).toString()]);
    if (kind === "folder")
      for (const [range, status, body] of [
        ["bytes=-5", 206, png.subarray(-5)],
        [`bytes=-${png.length + 1}`, 206, png],
        ["bytes=5-4", 200, png],
        ["bytes=x", 200, png],
        ["bytes=-0", 416, Buffer.alloc(0)],
      ] as const) {
        const response = await fetch(url, { headers: { range } });
        expect([range, response.status, Buffer.from(await response.arrayBuffer())]).toEqual([
          range,
          status,
          body,
        ]);
      }
    const beyond = await fetch(url, { headers: { range: "bytes=1000-" } });
    expect(beyond.status).toBe(416);
  });

  test("an import gives files to its messages, all or none, and skipped messages keep theirs", async () => {
    await chat.channels.create({ channel_id: "import_room", name: "Import", members: ["kim_01"] });
    const upload = (name: string) => chat.files.upload("import_room", png, { ...ofKim, name });
    const [one, two, three] = [await upload("one.png"), await upload("two.png"), await upload("three.png")];
    const of = (external_id: string, ...files: { file_id: string }[]) => ({
      external_id,
      user_id: "kim_01",
      type: "text" as const,
      created_at: 1_600_000_000_000,
      attachments: files.map(({ file_id }) => ({ file_id })),
    });
    const plain = {
      external_id: "plain",
      user_id: "kim_01",
      type: "text",
      content: "Text",
      created_at: 1,
    } as const;
    const messages = [plain, of("with", one, two, one)];
    const options = { idempotencyKey: crypto.randomUUID() };
    for (let run = 0; run < 2; run++)
      expect(await chat.imports.messages("import_room", messages, options)).toEqual({
        imported: 2,
        skipped: 0,
      });
    const shown = async () =>
      (await chat.messages.list("import_room").toArray()).map((message) => ({
        id: message.external_id,
        files: "attachments" in message ? message.attachments?.map(({ name }) => name) : undefined,
      }));
    const before = [
      { id: "with", files: ["one.png", "two.png"] },
      { id: "plain", files: undefined },
    ];
    expect(await shown()).toEqual(before);
    const [message] = await chat.messages.list("import_room").toArray();
    const [file] = message?.type === "text" ? (message.attachments ?? []) : [];
    expect(Buffer.from(await (await fetch(file?.url ?? "")).arrayBuffer()).equals(png)).toBe(true);
    expect(await chat.messages.search("import_room", { q: "two.png" }).toArray()).toHaveLength(1);
    // A message that is skipped takes nothing.
    expect(await chat.imports.messages("import_room", [of("with", three)])).toEqual({
      imported: 0,
      skipped: 1,
    });
    const waiting = await chat.files.create({ ...menu, channel_id: "import_room" });
    for (const [wrong, code] of [
      [one, "file_in_use"],
      [waiting, "file_not_uploaded"],
      [{ file_id: "file_unknown" }, "file_not_found"],
    ] as const)
      await expect(
        chat.imports.messages("import_room", [of("new", three), of(`wrong ${code}`, wrong)]),
      ).rejects.toMatchObject({ code, errors: [{ in: "body", path: "messages.1.attachments" }] });
    expect(await shown()).toEqual(before);
    expect(await chat.imports.messages("import_room", [of("new", three)])).toEqual({
      imported: 1,
      skipped: 0,
    });
    await chat.channels.delete("import_room");
  });

  test.each([
    ["text/html", "attachment"],
    ["image/svg+xml", "attachment"],
    ["IMAGE/SVG+XML; charset=utf-8", "attachment"],
    ["application/xhtml+xml", "attachment"],
    ["application/octet-stream", "attachment"],
    ["image/webp", "inline"],
    ["audio/mpeg", "inline"],
    ["video/mp4", "inline"],
    ["application/pdf", "inline"],
  ])("a file of the type %s has the disposition %s", async (type, disposition) => {
    const { url = "" } = await chat.files.upload("room_1", png, { ...ofKim, type });
    const { headers } = await fetch(url);
    expect(headers.get("content-disposition")).toMatch(new RegExp(`^${disposition}; `));
    expect(headers.get("content-type")?.toLowerCase()).toBe(type.toLowerCase());
  });

  test("an address accepts exactly the size and the type of its file, and nothing is stored otherwise", async () => {
    const { file_id, upload } = await chat.files.create(menu);
    const { url, headers } = upload;
    const rejected = [
      await put(url, png.subarray(1), headers),
      await put(url, Buffer.concat([png, png]), headers),
      await put(url, png, { ...headers, "content-type": "text/html" }),
    ];
    for (const { status } of rejected) expect([400, 403]).toContain(status);
    expect(await chat.files.get(file_id)).toMatchObject({ status: "waiting" });
    expect((await put(url, png, headers)).status).toBe(200);
    expect(await chat.files.get(file_id)).toMatchObject({ status: "ready" });
  });

  test("a changed or an expired address is rejected", async () => {
    const { file_id, upload } = await chat.files.create(menu);
    const other = await chat.files.create(menu);
    const { url, headers, expires_at } = upload;
    for (const changed of [
      url.replace(file_id, other.file_id),
      withOtherSignature(url),
      url.replace(/([Ee]xpires=)(\d)/, (_, name, first) => name + ((Number(first) + 1) % 10)),
      url.replace(/[^=]+$/, ""),
    ])
      expect([403, 404]).toContain((await put(changed, png, headers)).status);
    expect(expires_at).toBeGreaterThan(now);
    expect(await chat.files.get(file_id)).toMatchObject({ status: "waiting" });

    const stored = await chat.files.upload("room_1", png, ofKim);
    expect((await fetch(stored.url ?? "", { method: "PUT", headers, body: png })).ok).toBe(false);
    expect((await fetch(withOtherSignature(stored.url ?? ""))).ok).toBe(false);
  });

  function withOtherSignature(url: string): string {
    return url.replace(/(signature=)(.)/i, (_, name, first) => name + (first === "a" ? "b" : "a"));
  }

  test("the address in the repeated response of an idempotency key ends when the first one does", async () => {
    const create = () => chat.files.create(menu, { idempotencyKey: `late-${kind}` });
    const first = (await create()).upload;
    now += 5 * hourMs;
    const { url, expires_at } = (await create()).upload;
    now -= 5 * hourMs;
    expect(expires_at).toBe(first.expires_at);
    expect(endOf(url)).toBeLessThanOrEqual(expires_at);
  });

  /** When an address ends. */
  function endOf(url: string): number {
    const { searchParams } = new URL(url);
    const own = searchParams.get("expires");
    if (own !== null) return Number(own);
    const date = searchParams.get("X-Amz-Date") ?? "";
    const from = date.replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5");
    return Date.parse(from) + Number(searchParams.get("X-Amz-Expires")) * 1_000;
  }

  test("a message with files that is sent again with its idempotency key is stored once", async () => {
    const idempotencyKey = `menu-${kind}-${"x".repeat(240)}`.slice(0, 255);
    const files = ["one.png", "two.png"].map((name) => ({ file: png, name, type: "image/png" }));
    const message = { user_id: "kim_01", type: "text", content: "The menu" } as const;
    const send = () => chat.messages.send("room_1", message, { files, idempotencyKey });
    const { message_id } = await send();
    expect((await send()).message_id).toBe(message_id);
    // Then the addresses of the uploads have ended.
    now += 2 * hourMs;
    vi.setSystemTime(now);
    const later = await send().finally(() => {
      vi.useRealTimers();
      now -= 2 * hourMs;
    });
    expect(later.message_id).toBe(message_id);
  });

  test("an upload that never arrived is made anew with its idempotency key when its address has ended", async () => {
    const idempotencyKey = `late-menu-${kind}`;
    now -= 5 * hourMs;
    await chat.files.create(menu, { idempotencyKey });
    now += 5 * hourMs;
    const upload = () => chat.files.upload("room_1", png, { ...ofKim, idempotencyKey });
    const { file_id, status } = await upload();
    expect(status).toBe("ready");
    // Its message would be another one, with a key that was used.
    expect((await upload()).file_id).toBe(file_id);
  });

  // The server of the test has the same clock, and S3 rejects the requests of a server whose clock is wrong.
  test.runIf(kind === "folder")(
    "by a clock that is hours ahead, an upload with an idempotency key is stored, and its repetition is the same file",
    async () => {
      vi.setSystemTime(now + 5 * hourMs);
      onTestFinished(() => void vi.useRealTimers());
      const upload = () => chat.files.upload("room_1", png, { ...ofKim, idempotencyKey: `ahead-${kind}` });
      const { file_id, status } = await upload();
      expect(status).toBe("ready");
      expect((await upload()).file_id).toBe(file_id);
    },
  );

  test("a cut upload stores nothing, and the address still works", async () => {
    const { file_id, upload } = await chat.files.create({ ...menu, size: 1_000_000 });
    const again = () => put(upload.url, Buffer.alloc(1_000_000), upload.headers);
    const whileArriving = async () => {
      if (kind !== "folder") return;
      // The SDK sends the bytes again after this time, until the service has noticed that a connection was cut.
      const { status, headers } = await again();
      expect([status, headers.get("retry-after")]).toEqual([409, "1"]);
    };
    await cutAfter(upload.url, { ...upload.headers, "content-length": "1000000" }, 300_000, whileArriving);
    expect(await chat.files.get(file_id)).toMatchObject({ status: "waiting" });
    await expect.poll(async () => (await again()).status).toBe(200);
    expect(await chat.files.get(file_id)).toMatchObject({ status: "ready" });
    if (kind === "folder") await expect.poll(() => readdir(join(folder, "incoming"))).toEqual([]);
  });

  test("a deleted file cannot be read, uploaded or found", async () => {
    const stored = await chat.files.upload("room_1", png, ofKim);
    await chat.files.delete(stored.file_id);
    await expect(chat.files.get(stored.file_id)).rejects.toMatchObject({ code: "file_not_found" });
    await expect(chat.files.delete(stored.file_id)).rejects.toMatchObject({ code: "file_not_found" });
    if (kind === "folder") expect((await fetch(stored.url ?? "")).status).toBe(404);
  });

  test("addresses of the same hour are equal, and work for one to two hours", async () => {
    const { file_id } = await chat.files.upload("room_1", png, ofKim);
    const realNow = now;
    now = Math.floor(now / hourMs) * hourMs;
    const { url: first } = await chat.files.get(file_id);
    now += hourMs - 1;
    const { url: second = "" } = await chat.files.get(file_id);
    expect(second).toBe(first);
    now += 1;
    expect((await chat.files.get(file_id)).url).not.toBe(second);
    if (kind === "folder") {
      now += hourMs - 1;
      expect((await fetch(second)).status).toBe(200);
      now += 1;
      expect((await fetch(second)).status).toBe(404);
    }
    now = realNow;
  });

  test("the bytes of a file go soon after its message, its channel and its deletion, and after a day without a message", async () => {
    const storage = await openTestStorage(server.db, s3?.settings ?? { MADANG_FILES: `folder:${folder}` });
    const send = async (channel: string, name: string) => {
      const { file_id } = await chat.files.upload(channel, png, { ...ofKim, name });
      const message = { user_id: "kim_01", type: "text", attachments: [{ file_id }] } as const;
      return { file_id, message_id: (await chat.messages.send(channel, message)).message_id };
    };
    await chat.channels.create({ channel_id: "room_2", name: "Dinner", members: ["kim_01"], reuse: false });
    const kept = await send("room_1", "kept");
    const ofMessage = await send("room_1", "of a message");
    const ofChannel = await send("room_2", "of a channel");
    const deleted = await chat.files.upload("room_1", png, ofKim);
    const unsent = await chat.files.upload("room_1", png, ofKim);
    const unsentOfChannel = await chat.files.upload("room_2", png, ofKim);
    const isStored = async (...files: { file_id: string }[]) =>
      (await Promise.all(files.map(({ file_id }) => storage.sizeOf(file_id)))).map(
        (size) => size === png.length,
      );
    const sweep = async () => {
      while (await sweepFiles(server.db, storage));
    };
    await sweep();
    const all = [kept, ofMessage, ofChannel, deleted, unsent, unsentOfChannel];
    expect(await isStored(...all)).toEqual(all.map(() => true));
    await chat.messages.delete("room_1", ofMessage.message_id);
    await chat.channels.delete("room_2");
    while (await sweepDeletedChannels(server.db));
    await chat.files.delete(deleted.file_id);
    await sweep();
    expect(await isStored(...all)).toEqual([true, false, false, false, true, false]);
    // Its address still works: what comes now goes too.
    expect(await listFiles(server.db, ofMessage.file_id)).toEqual([{ status: "deleted", name: "" }]);
    await makeOlder(server.db, 2 * hourMs + 1);
    await sweep();
    expect(await listFiles(server.db, ofMessage.file_id)).toEqual([]);
    expect(await isStored(kept, unsent)).toEqual([true, true]);
    await makeOlder(server.db, 22 * hourMs);
    await sweep();
    expect(await isStored(kept, unsent)).toEqual([true, false]);
    const { url = "" } = await chat.files.get(kept.file_id);
    expect((await fetch(url)).status).toBe(200);
    expect(await collect(compareFiles(server.db, storage))).toEqual([]);
  });

  test("a process with a clock that is two days ahead removes no file that was just uploaded", async () => {
    const uploaded = await chat.files.upload("room_1", png, ofKim);
    const old = await chat.files.upload("room_1", png, ofKim);
    await makeOlder(server.db, 25 * hourMs, old.file_id);
    const settings = s3?.settings ?? { MADANG_FILES: `folder:${folder}` };
    const clock = { now: () => Date.now() + 48 * hourMs };
    const ahead = await startServerOn(database.url, { settings, ...clock, hasBackgroundTasks: true });
    // Its job has run.
    await expect.poll(() => listFiles(server.db, old.file_id)).toEqual([]);
    await ahead.close();
    expect(await chat.files.get(uploaded.file_id)).toMatchObject({ status: "ready" });
  });

  test("a check of the storage finds what is missing, left over or of another size", async () => {
    const storage = await openTestStorage(server.db, s3?.settings ?? { MADANG_FILES: `folder:${folder}` });
    const [missing, short, whole] = await Promise.all(
      [1, 2, 3].map(() => chat.files.upload("room_1", png, ofKim)),
    );
    if (missing === undefined || short === undefined || whole === undefined)
      throw new Error("There are three.");
    await storage.remove([missing.file_id]);
    await server.db.query(
      {
        name: "test.change-size",
        text: "UPDATE files SET size = size + 1 WHERE file_id = $1 RETURNING 1",
      },
      [short.file_id],
    );
    const gone = await chat.files.upload("room_1", png, ofKim);
    await server.db.query(
      {
        name: "test.forget-file",
        text: "DELETE FROM files WHERE file_id = $1 RETURNING 1",
      },
      [gone.file_id],
    );
    const found = await collect(compareFiles(server.db, storage));
    expect(found.toSorted((one, other) => (one.kind < other.kind ? -1 : 1))).toEqual([
      { fileId: gone.file_id, kind: "left over" },
      { fileId: missing.file_id, kind: "missing" },
      { fileId: short.file_id, kind: "wrong size" },
    ]);
  });

  test("a message shows its files everywhere, also in the repeated response of an idempotency key", async () => {
    const { file_id } = await chat.files.upload("room_1", png, { ...ofKim, name: "Seating plan.png" });
    const message = {
      user_id: "kim_01",
      type: "text",
      content: "Friday",
      attachments: [{ file_id }],
    } as const;
    const options = { idempotencyKey: `attached-${kind}` };
    const sent = await chat.messages.send("room_1", message, options);
    const shown = [
      { file_id, name: "Seating plan.png", type: "image/png", size: png.length, url: expect.any(String) },
    ];
    expect(sent).toMatchObject({ attachments: shown });
    expect(await chat.messages.send("room_1", message, options)).toMatchObject({ attachments: shown });
    const { message_id } = sent;
    const seen = [
      await chat.messages.get("room_1", message_id),
      (await chat.messages.list("room_1").firstPage()).items[0],
      (await chat.exports.messages("room_1").firstPage()).items[0],
      (await chat.users.channels("kim_01").firstPage()).items[0]?.last_message,
      (await chat.messages.search("room_1", { q: "seating friday" }).firstPage()).items[0],
    ];
    for (const one of seen) expect(one).toMatchObject({ message_id, attachments: shown });
    await chat.messages.update("room_1", message_id, { content: "" });
    expect(await chat.messages.get("room_1", message_id)).toMatchObject({ content: "", attachments: shown });
    await chat.messages.delete("room_1", message_id);
    expect((await chat.messages.search("room_1", { q: "seating" }).firstPage()).items).toEqual([]);
  });

  test("of several messages that want a file at the same time, one gets it", async () => {
    const { file_id } = await chat.files.upload("room_1", png, ofKim);
    const message = { user_id: "kim_01", type: "text", attachments: [{ file_id }] } as const;
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => chat.messages.send("room_1", message)),
    );
    const codes = results.map((result) => (result.status === "rejected" ? result.reason.code : "sent"));
    expect(codes.sort()).toEqual([...Array.from({ length: 7 }, () => "file_in_use"), "sent"]);
  });

  test("an erasure leaves no name of a file, whether it was sent or not", async () => {
    await chat.users.create({ user_id: "gone", name: "Gone" });
    await chat.channels.members.join("room_1", "gone");
    const ofGone = { ...ofKim, user_id: "gone", name: "passport of Gone.png" };
    const [sent, unsent] = [
      await chat.files.upload("room_1", png, ofGone),
      await chat.files.upload("room_1", png, ofGone),
    ];
    const attachments = [{ file_id: sent.file_id }];
    await chat.messages.send("room_1", { user_id: "gone", type: "text", attachments });
    const waiting = await chat.files.create({ channel_id: "room_1", ...ofGone, size: 1 });
    await chat.files.delete((await chat.files.upload("room_1", png, ofGone)).file_id);
    const listed = [];
    for await (const { files } of chat.privacy.export("gone", { pageSize: 1 }).pages()) listed.push(...files);
    expect(listed.map(({ file_id, name, status }) => [file_id, name, status])).toEqual([
      [sent.file_id, ofGone.name, "ready"],
      [unsent.file_id, ofGone.name, "ready"],
      [waiting.file_id, ofGone.name, "waiting"],
    ]);
    await chat.privacy.erase({ user_id: "gone", messages: "erase" });
    await finishErasures(server.db);
    for (const { file_id } of [sent, unsent])
      expect(await listFiles(server.db, file_id)).toEqual([{ status: "deleted", name: "" }]);
  });

  if (kind === "folder") {
    test("a second upload is rejected, also beside the first", async () => {
      const { file_id, upload } = await chat.files.create(menu);
      const responses = await Promise.all(
        Array.from({ length: 5 }, () => put(upload.url, png, upload.headers)),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
      expect((await put(upload.url, png, upload.headers)).status).toBe(409);
      expect(await chat.files.get(file_id)).toMatchObject({ status: "ready" });
    });

    test("the address of an upload ends after an hour", async () => {
      const { upload } = await chat.files.create(menu);
      now += hourMs;
      expect((await put(upload.url, png, upload.headers)).status).toBe(404);
      now -= hourMs;
    });

    test("an upload may take longer than other requests, and one that stalls does not", async () => {
      const timeouts = {
        headersTimeout: 500,
        requestTimeout: 500,
        keepAliveTimeout: 5_000,
        timeout: 3_000,
        connectionsCheckingInterval: 50,
      };
      const settings = { MADANG_FILES: `folder:${folder}` };
      const hurried = await startServerOn(database.url, { settings, timeouts });
      const client = new ChatClient({ baseUrl: hurried.url, apiKey: masterKey });
      const slow = await client.files.create({ ...menu, size: 10 });
      const status = await sendSlowly(
        slow.upload.url,
        { ...slow.upload.headers, "content-length": "10" },
        10,
        150,
      );
      expect(status).toBe(200);
      const stalled = await client.files.create({ ...menu, size: 10 });
      const sent = sendSlowly(
        stalled.upload.url,
        { ...stalled.upload.headers, "content-length": "10" },
        5,
        150,
      );
      await expect(sent).rejects.toThrow();
      expect(await client.files.get(stalled.file_id)).toMatchObject({ status: "waiting" });
      const post = sendSlowly(
        `${hurried.url}/v1/users`,
        { authorization: `Bearer ${masterKey}`, "content-type": "application/json", "content-length": "10" },
        10,
        150,
        "POST",
      );
      expect(await post).toBe(408);
      await hurried.close();
    });

    test("what runs in the browser of a reader has no rights, and other pages may show it", async () => {
      const { url = "" } = await chat.files.upload("room_1", png, { ...ofKim, type: "text/html" });
      const { headers } = await fetch(url);
      expect(headers.get("content-security-policy")).toMatch(/default-src 'none'.*sandbox$/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    });

    test("addresses begin with the address of the request, or with the public one", async () => {
      const { upload } = await chat.files.create(menu);
      expect(upload.url).toMatch(`${server.url}/v1/files/`);
      const settings = {
        MADANG_FILES: `folder:${folder}`,
        MADANG_PUBLIC_URL: "https://chat.example.com/api/",
      };
      const hidden = await startServerOn(database.url, { settings });
      const client = new ChatClient({ baseUrl: hidden.url, apiKey: masterKey });
      expect((await client.files.create(menu)).upload.url).toMatch("https://chat.example.com/api/v1/files/");
      await hidden.close();
    });

    test("an error of the disk is 503 while the client still sends, and the log says why", async () => {
      // As root, no folder is read-only.
      await rm(join(folder, "incoming"), { recursive: true, force: true });
      await writeFile(join(folder, "incoming"), "");
      const file = { ...menu, size: 4_000_000 };
      const { upload } = await chat.files.create(file);
      const failed = await put(upload.url, new Uint8Array(file.size), upload.headers);
      expect([failed.status, failed.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await failed.json()).toMatchObject({ code: "storage_unavailable" });
      await expect.poll(() => server.logLines.join("")).toMatch(/"reason":"The storage of files.*ENOTDIR/);
      await rm(join(folder, "incoming"));
      expect((await put(upload.url, new Uint8Array(file.size), upload.headers)).status).toBe(200);
    });

    test("a disk that is not mounted is 503, and nothing is written in its place", async () => {
      const { url = "", file_id } = await chat.files.upload("room_1", png, ofKim);
      const waiting = await chat.files.create(menu);
      await rename(folder, `${folder}-mounted`);
      await mkdir(folder);
      const patient = new ChatClient({ baseUrl: server.url, apiKey: masterKey, maxRetries: 0 });
      const unavailable = { code: "storage_unavailable", status: 503 };
      expect((await put(waiting.upload.url, png, waiting.upload.headers)).status).toBe(503);
      expect((await fetch(url)).status).toBe(503);
      await expect(patient.files.create(menu)).rejects.toMatchObject(unavailable);
      await expect(patient.files.get(waiting.file_id)).rejects.toMatchObject(unavailable);
      await chat.files.delete(file_id);
      const storage = await openTestStorage(server.db, { MADANG_FILES: `folder:${folder}` });
      await expect(sweepFiles(server.db, storage)).rejects.toMatchObject({ code: unavailable.code });
      expect(await readdir(folder)).toEqual([]);
      await expect.poll(() => server.logLines.join("")).toContain("madang-database-id is missing");

      // A server that starts now says so, and serves everything else.
      const late = await startServerOn(database.url, { settings: { MADANG_FILES: `folder:${folder}` } });
      expect(late.logLines.join("")).toContain("madang-database-id is missing");
      await rm(folder, { recursive: true });
      await rename(`${folder}-mounted`, folder);
      expect((await put(waiting.upload.url, png, waiting.upload.headers)).status).toBe(200);
      const client = new ChatClient({ baseUrl: late.url, apiKey: masterKey });
      expect(await client.files.create(menu)).toMatchObject({ status: "waiting" });
      await late.close();
    });

    test("a folder with the files of another database is not used", async () => {
      const other = await createDatabase();
      const settings = { MADANG_FILES: `folder:${folder}` };
      const wrong = await startServerOn(other.url, { settings });
      expect(wrong.logLines.join("")).toContain("which has the files of another database");
      const client = new ChatClient({ baseUrl: wrong.url, apiKey: masterKey, maxRetries: 0 });
      await client.channels.create({ channel_id: "room_1", name: "Lunch", members: [] });
      const created = client.files.create({ ...menu, user_id: undefined });
      await expect(created).rejects.toMatchObject({ code: "storage_unavailable" });
      await wrong.close();
      await other.drop();
    });

    /** Sends one byte of a file of ten, and the others with `end`. */
    const beginUpload = (upload: { url: string; headers: Record<string, string> }) => {
      const sending = httpRequest(upload.url, {
        method: "PUT",
        headers: { ...upload.headers, "content-length": 10 },
      });
      const status = new Promise<number | undefined>((resolve) => {
        sending.once("response", (response) => resolve(response.resume().statusCode));
        sending.once("error", () => resolve(undefined));
      });
      sending.write("0");
      return { status, end: () => sending.end("123456789") };
    };
    const incoming = async (fileId: string) =>
      (await readdir(join(folder, "incoming"))).filter((name) => name.startsWith(fileId)).length;

    test("a file has one upload at a time", async () => {
      const { file_id, upload } = await chat.files.create({ ...menu, size: 10 });
      const first = beginUpload(upload);
      await expect.poll(() => incoming(file_id)).toBe(1);
      const second = beginUpload(upload);
      second.end();
      expect(await second.status).toBe(409);
      expect(await incoming(file_id)).toBe(1);
      first.end();
      expect(await first.status).toBe(200);
      expect(await incoming(file_id)).toBe(0);
    });

    test("an upload ends when the tokens of its user are revoked, and its address works no more", async () => {
      const { file_id, upload } = await chat.files.create({ ...menu, size: 10 });
      const { status } = beginUpload(upload);
      await expect.poll(() => incoming(file_id)).toBe(1);
      await chat.users.revokeTokens("kim_01");
      await status;
      await expect.poll(() => incoming(file_id)).toBe(0);
      const again = beginUpload(upload);
      again.end();
      expect(await again.status).toBe(404);
    });

    test("an upload that would leave less than 5 percent of the disk free is rejected", async () => {
      const { createFolderStorage } = await import("../../src/modules/files/storage/folder");
      const statfs = async () => ({ bavail: 59, blocks: 1_000, bsize: 1 });
      const requireOwn = async () => undefined;
      const { transfer } = createFolderStorage(folder, {
        ...Object.create(null),
        now: Date.now,
        statfs,
        requireOwn,
      });
      const receive = transfer?.receive(Object.create(null), { ...Object.create(null), size: 10 });
      await expect(receive).rejects.toMatchObject({ code: "storage_unavailable" });
    });

    test("what cut uploads left is removed, and nothing else", async () => {
      await writeFile(join(folder, "incoming", "file_left"), "x");
      const { createFolderStorage } = await import("../../src/modules/files/storage/folder");
      const storage = createFolderStorage(folder, { ...Object.create(null), now: Date.now });
      await storage.removeCutUploads();
      expect(await readdir(join(folder, "incoming"))).toEqual(["file_left"]);
      const { utimes } = await import("node:fs/promises");
      await utimes(join(folder, "incoming", "file_left"), 1, 1);
      await storage.removeCutUploads();
      expect(await readdir(join(folder, "incoming"))).toEqual([]);
    });
  }
});

test("a file is deleted while the service stores no files, and its bytes are removed later", async () => {
  const database = await createDatabase();
  const folder = await mkdtemp(join(tmpdir(), "madang-files-"));
  const start = (files: string) =>
    startServerOn(database.url, { settings: { MADANG_FILES: files }, hasBackgroundTasks: true });
  const storing = await start(`folder:${folder}`);
  const chat = new ChatClient({ baseUrl: storing.url, apiKey: masterKey });
  await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: [] });
  const { file_id } = await chat.files.upload("room_1", png, { name: "menu.png", type: "image/png" });
  await storing.close();

  const fileless = await start("off");
  const client = new ChatClient({ baseUrl: fileless.url, apiKey: masterKey });
  await client.files.delete(file_id);
  await expect(client.files.get(file_id)).rejects.toMatchObject({ code: "file_not_found" });
  // The row stays for as long as its upload address is valid.
  await makeOlder(fileless.db, 3 * hourMs);
  await fileless.close();

  const again = await start(`folder:${folder}`);
  await expect.poll(() => listFiles(again.db, file_id)).toEqual([]);
  await again.close();
  await rm(folder, { recursive: true });
  await database.drop();
});

test("the log says why a store rejected a request, and not that the database is unavailable", async () => {
  const database = await createDatabase();
  const s3 = await startS3();
  const settings = { ...s3.settings, AWS_SECRET_ACCESS_KEY: "wrong" };
  const server = await startServerOn(database.url, { settings });
  const chat = new ChatClient({ baseUrl: server.url, apiKey: masterKey, maxRetries: 0 });
  await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: [] });
  const file = { name: "menu.png", type: "image/png", size: 1 };
  await expect(chat.files.create({ channel_id: "room_1", ...file })).rejects.toMatchObject({
    code: "storage_unavailable",
    retryAfterMs: 5_000,
  });
  const findProblems = () => server.logLines.filter((line) => line.includes('"level":50'));
  // One of the start, which it does not prevent, and one of the request.
  await expect.poll(findProblems).toHaveLength(2);
  for (const line of findProblems()) {
    expect(line).toContain("GET in the bucket files failed with 403");
    expect(line).not.toContain("database");
  }
  await server.close();
  await s3.close();
  await database.drop();
});

/** Lets time pass by the clock of the database for a file, or for all. */
const makeOlder = (db: Database, ms: number, fileId: string | null = null) =>
  db.query(
    {
      name: "test.make-files-older",
      text: "UPDATE files SET created_at = created_at - $1 WHERE file_id = COALESCE($2, file_id) RETURNING 1",
    },
    [ms, fileId],
  );

const listFiles = (db: Database, fileId: string) =>
  db.query<{ status: string; name: string }>(
    { name: "test.find-file", text: "SELECT status, name FROM files WHERE file_id = $1" },
    [fileId],
  );

async function openTestStorage(db: Database, settings: Readonly<Record<string, string>>): Promise<Storage> {
  const { storage } = await openStorage({
    setting: settings.MADANG_FILES ?? "",
    environment: settings,
    addresses: createFileAddresses([Buffer.alloc(32)], Date.now),
    now: Date.now,
    makeId: () => "none",
    isWriting: true,
    owner: await findOwner(db, randomBytes),
    onError: () => undefined,
  });
  if (storage === undefined) throw new Error("There is a storage.");
  return storage;
}

/** Sends a part of a body, then closes the connection. */
function cutAfter(
  url: string,
  headers: Record<string, string>,
  bytes: number,
  before: () => Promise<void> = async () => undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: "PUT", headers });
    request.on("error", () => resolve());
    const cut = () => before().then(() => request.destroy(new Error("cut")), reject);
    request.write(Buffer.alloc(bytes), () => setTimeout(cut, 50));
  });
}

/** Sends one byte after the other, and returns the status of the response. */
function sendSlowly(
  url: string,
  headers: Record<string, string>,
  bytes: number,
  pauseMs: number,
  method = "PUT",
) {
  return new Promise<number | undefined>((resolve, reject) => {
    const request = httpRequest(url, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on("error", reject);
    let sent = 0;
    const timer = setInterval(() => {
      if (sent++ < bytes) request.write(" ");
      else clearInterval(timer);
    }, pauseMs);
    request.on("close", () => clearInterval(timer));
  });
}

test("a user creates with tokens no more than so many bytes in a day, whatever happens at once", async () => {
  let now = Date.now();
  const limited = await startServer({
    now: () => now,
    settings: {
      MADANG_FILES: `folder:${await mkdtemp(join(tmpdir(), "madang-files-"))}`,
      MADANG_FILE_USER_BYTES: "10",
    },
  });
  const app = new ChatClient({ baseUrl: limited.url, apiKey: masterKey });
  await app.users.create({ user_id: "kim_01", name: "Kim" });
  // Creations in one channel would come one after the other.
  const rooms = Array.from({ length: 12 }, (_, index) => `room_${index}`);
  for (const channel_id of rooms)
    await app.channels.create({ channel_id, name: "Lunch", members: ["kim_01"] });
  const key = await createToken(limited.url, "kim_01");
  const body = { channel_id: "room_1", name: "menu.png", type: "image/png", size: 10 };
  const creating = await limited.db.transaction(async (tx) => {
    // All may count the files, and none may add one.
    await tx.query({ name: "test.lock-files", text: "LOCK TABLE files IN SHARE MODE" });
    const started = rooms.map((channel_id) =>
      call(limited.url, "POST", "/v1/files", { key, body: { ...body, channel_id } }),
    );
    await expect.poll(() => countWaiting(limited.db)).toBeGreaterThan(1);
    return started.map((response) => ({ response }));
  });
  const responses = await Promise.all(creating.map(({ response }) => response));
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  const rejected = responses.filter(({ status }) => status === 429);
  expect(rejected.length).toBeGreaterThan(0);
  // 503: on a busy machine, a request may wait too long.
  for (const { status } of responses) expect([201, 429, 503]).toContain(status);
  expect(Number(rejected[0]?.headers.get("retry-after"))).toBeGreaterThan(86_000);
  // With a key, the application decides.
  expect(
    (await call(limited.url, "POST", "/v1/files", { body: { ...body, user_id: "kim_01" } })).status,
  ).toBe(201);
  now += 24 * hourMs + 1;
  const later = await createToken(limited.url, "kim_01");
  expect((await call(limited.url, "POST", "/v1/files", { key: later, body })).status).toBe(201);
  await limited.close();
});
