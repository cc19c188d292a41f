import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChatClient } from "@madang/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase } from "../support/database";
import { startS3, type TestS3 } from "../support/s3";
import { masterKey, startServerOn, type TestServer } from "../support/server";

const database = await createDatabase();
afterAll(database.drop);

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

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "madang-files-"));
    s3 = kind === "S3" ? await startS3() : undefined;
    const settings = s3?.settings ?? { MADANG_FILES: `folder:${folder}` };
    server = await startServerOn(database.url, { settings, now: () => now });
    chat = new ChatClient({ baseUrl: server.url, apiKey: masterKey });
    if (kind === "folder") {
      await chat.users.create({ user_id: "kim_01", name: "Kim" });
      await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01"] });
    }
  });
  afterAll(async () => {
    await server.close();
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
    const beyond = await fetch(url, { headers: { range: "bytes=1000-" } });
    expect(beyond.status).toBe(416);
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
      url.replace(/(signature=)(.)/i, (_, name, first) => name + (first === "a" ? "b" : "a")),
      url.replace(/([Ee]xpires=)(\d)/, (_, name, first) => name + ((Number(first) + 1) % 10)),
      url.replace(/[^=]+$/, ""),
    ])
      expect([403, 404]).toContain((await put(changed, png, headers)).status);
    expect(expires_at).toBeGreaterThan(now);
    expect(await chat.files.get(file_id)).toMatchObject({ status: "waiting" });

    const stored = await chat.files.upload("room_1", png, ofKim);
    expect((await fetch(stored.url ?? "", { method: "PUT", headers, body: png })).ok).toBe(false);
    expect((await fetch((stored.url ?? "").replace(/(signature=)./i, "$1-"))).ok).toBe(false);
  });

  test("a cut upload stores nothing, and the address still works", async () => {
    const { file_id, upload } = await chat.files.create({ ...menu, size: 1_000_000 });
    await cutAfter(upload.url, { ...upload.headers, "content-length": "1000000" }, 300_000);
    expect(await chat.files.get(file_id)).toMatchObject({ status: "waiting" });
    expect((await put(upload.url, Buffer.alloc(1_000_000), upload.headers)).status).toBe(200);
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
        timeout: 1_000,
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

    test("what cut uploads left is removed, and nothing else", async () => {
      await writeFile(join(folder, "incoming", "file_left"), "x");
      const { createFolderStorage } = await import("../../src/modules/files/folder");
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

/** Sends a part of a body, then closes the connection. */
function cutAfter(url: string, headers: Record<string, string>, bytes: number): Promise<void> {
  return new Promise((resolve) => {
    const request = httpRequest(url, { method: "PUT", headers });
    request.on("error", () => resolve());
    request.write(Buffer.alloc(bytes), () => setTimeout(() => request.destroy(new Error("cut")), 50));
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
