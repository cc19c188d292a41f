import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { ChatClient } from "../client";

const bytes = Buffer.from("f".repeat(200_000));
const file = { file_id: "file_1", name: "menu.png", type: "image/png", size: bytes.length, created_at: 1 };

/** What the storage responds with, one attempt after the other: a status, or a cut connection. */
let outcomes: (number | "cut")[] = [];
let isStored = false;
let uploads: { readonly headers: IncomingMessage["headers"]; readonly body: Buffer }[] = [];
let created: unknown[] = [];

const server = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts);
  const send = (status: number, json: object) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
  if (request.url === "/upload") {
    uploads.push({ headers: request.headers, body });
    const outcome = outcomes.shift() ?? 200;
    if (outcome === "cut" || outcome === 200) isStored = true;
    return outcome === "cut" ? request.socket.destroy() : response.writeHead(outcome).end();
  }
  if (request.method === "GET")
    return send(200, {
      ...file,
      ...(isStored ? { status: "ready", url: "https://x/1" } : { status: "waiting" }),
    });
  created.push(JSON.parse(body.toString()));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/upload`;
  const upload = { method: "PUT", url, headers: { "content-type": "image/png" }, expires_at: 2 };
  return send(201, { ...file, status: "waiting", upload });
}).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));

const folder = await mkdtemp(join(tmpdir(), "madang-upload-"));
const path = join(folder, "menu.png");
await writeFile(path, bytes);
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

const chat = new ChatClient({
  baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  apiKey: "sk_only-for-tests-0123456789",
});

beforeEach(() => {
  outcomes = [];
  isStored = false;
  uploads = [];
  created = [];
});

const streamOf = () => new Blob([bytes]).stream();

test.each([
  ["a Blob", () => new Blob([bytes]), {}],
  ["a Buffer", () => bytes, {}],
  ["a stream", streamOf, { size: bytes.length }],
  ["a path", () => path, {}],
])("uploads %s with its length and type, and without the key", async (_, open, options) => {
  const sent: number[] = [];
  const onProgress = (sentBytes: number) => void sent.push(sentBytes);
  for (const progress of [{}, { onProgress }]) {
    isStored = false;
    const stored = await chat.files.upload("room_1", open(), {
      user_id: "kim_01",
      name: "menu.png",
      type: "image/png",
      ...options,
      ...progress,
    });
    expect(stored).toMatchObject({ status: "ready", url: "https://x/1" });
  }
  expect(created[0]).toEqual({
    channel_id: "room_1",
    user_id: "kim_01",
    name: "menu.png",
    type: "image/png",
    size: bytes.length,
  });
  for (const { headers, body } of uploads) {
    expect(headers).toMatchObject({ "content-length": String(bytes.length), "content-type": "image/png" });
    expect(headers).not.toHaveProperty("authorization");
    expect(headers).not.toHaveProperty("transfer-encoding");
    expect(body.equals(bytes)).toBe(true);
  }
  expect(sent.at(-1)).toBe(bytes.length);
  expect(sent).toEqual(sent.toSorted((one, other) => one - other));
});

/** A `Blob` of React Native has neither `stream` nor `arrayBuffer`: its `fetch` sends it. */
function openPhoneBlob() {
  const { size, type } = new Blob([bytes], { type: "image/png" });
  return { size, type, slice: () => openPhoneBlob() } as unknown as Blob;
}

test("uploads a Blob and a picked file of a phone", async () => {
  const sent: unknown[] = [];
  const phone = new ChatClient({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: "ut_only-for-tests-0123456789",
    fetch: (url, init) => {
      if (!url.endsWith("/upload")) return fetch(url, init as RequestInit);
      sent.push(init.body);
      isStored = true;
      return Promise.resolve(new Response());
    },
  });
  const blob = openPhoneBlob();
  await phone.files.upload("room_1", blob, { name: "photo.png", onProgress: () => undefined });
  const uri = URL.createObjectURL(new Blob([bytes], { type: "image/png" }));
  onTestFinished(() => URL.revokeObjectURL(uri));
  await phone.files.upload("room_1", { uri, name: "picked.png" });
  expect(sent[0]).toBe(blob);
  expect(sent[1]).toBeInstanceOf(Blob);
  const about = { channel_id: "room_1", type: "image/png", size: bytes.length };
  expect(created).toEqual([
    { ...about, name: "photo.png" },
    { ...about, name: "picked.png" },
  ]);
  const missing = { uri: "file:///none", name: "none.png" };
  await expect(phone.files.upload("room_1", missing)).rejects.toMatchObject({ kind: "validation" });
});

test("messages.send uploads files for the sender first", async () => {
  const [text, photo] = [
    new File([bytes], "notes.txt", { type: "text/plain" }),
    { file: bytes, name: "a.png" },
  ];
  await chat.messages
    .send("room_1", { user_id: "kim_01", type: "text", content: "Hi" }, { files: [{ file: text }, photo] })
    // The server of this test has no messages.
    .catch(() => undefined);
  expect(uploads).toHaveLength(2);
  expect(created).toHaveLength(3);
  expect(created.slice(0, 2)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ user_id: "kim_01", name: "notes.txt", type: "text/plain" }),
      expect.objectContaining({ user_id: "kim_01", name: "a.png", type: "application/octet-stream" }),
    ]),
  );
  expect(created[2]).toEqual({
    user_id: "kim_01",
    type: "text",
    content: "Hi",
    attachments: [{ file_id: "file_1" }, { file_id: "file_1" }],
  });
});

test("when a file of a message cannot be uploaded, the others are not uploaded on", async () => {
  const sent: number[] = [];
  const slow = new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      controller.enqueue(new Uint8Array(1_000));
    },
  });
  const photo = {
    file: slow,
    name: "a.png",
    size: 1_000_000,
    onProgress: (bytes: number) => void sent.push(bytes),
  };
  const missing = { file: join(folder, "none") };
  const message = { user_id: "kim_01", type: "text", content: "Hi" } as const;
  const sending = chat.messages.send("room_1", message, { files: [photo, missing] });
  await expect(sending).rejects.toMatchObject({ kind: "validation" });
  await new Promise((resolve) => setTimeout(resolve, 100));
  const before = sent.length;
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(sent).toHaveLength(before);
});

test("takes the name and the type of a File, and the name of a path", async () => {
  await chat.files.upload("room_1", new File([bytes], "lunch.pdf", { type: "application/pdf" }));
  await chat.files.upload("room_1", path);
  expect(created).toMatchObject([
    { name: "lunch.pdf", type: "application/pdf" },
    { name: "menu.png", type: "application/octet-stream" },
  ]);
});

test("sends the bytes again after a failure that may pass", async () => {
  outcomes = [503, 500, 200];
  await chat.files.upload("room_1", path);
  expect(uploads.map(({ body }) => body.length)).toEqual([bytes.length, bytes.length, bytes.length]);
});

test("an upload whose response was lost has succeeded", async () => {
  outcomes = ["cut", 412];
  await expect(chat.files.upload("room_1", path)).resolves.toMatchObject({ status: "ready" });
});

test("a stream is sent once, and its failure is reported", async () => {
  outcomes = [503];
  const upload = chat.files.upload("room_1", streamOf(), { name: "a", size: bytes.length });
  await expect(upload).rejects.toMatchObject({ status: 503 });
  expect(uploads).toHaveLength(1);
});

test("a rejection by the storage is final", async () => {
  outcomes = [403];
  await expect(chat.files.upload("room_1", path)).rejects.toThrow();
  expect(uploads).toHaveLength(1);
});

test.each([
  ["a stream without a size", () => chat.files.upload("room_1", streamOf(), { name: "a" })],
  ["bytes without a name", () => chat.files.upload("room_1", bytes)],
  ["a path without a file", () => chat.files.upload("room_1", join(folder, "none"))],
])("rejects %s, and sends nothing", async (_, upload) => {
  await expect(upload()).rejects.toMatchObject({ kind: "validation" });
  expect(created).toEqual([]);
});

test("a stream is no text for a page, where only XMLHttpRequest reports the progress", async () => {
  const sentByXhr = vi.fn();
  class Xhr extends EventTarget {
    readonly upload = {};
    readonly status = 200;
    onload?: () => void;
    open() {}
    setRequestHeader() {}
    send(body: unknown) {
      sentByXhr(body);
      isStored = true;
      this.onload?.();
    }
  }
  vi.stubGlobal("XMLHttpRequest", Xhr);
  onTestFinished(() => void vi.unstubAllGlobals());
  const upload = (file: Blob | ReadableStream) =>
    chat.files.upload("room_1", file, { name: "a", size: bytes.length, onProgress: () => undefined });
  const blob = new Blob([bytes]);
  await upload(blob);
  await upload(streamOf());
  expect(sentByXhr.mock.calls).toEqual([[blob]]);
  expect(uploads.map(({ body }) => body.length)).toEqual([bytes.length]);
});

test("the signal of the caller ends an upload", async () => {
  const controller = new AbortController();
  const upload = chat.files.upload("room_1", path, {
    signal: controller.signal,
    onProgress: () => controller.abort(),
  });
  await expect(upload).rejects.toMatchObject({ kind: "abort" });
});
