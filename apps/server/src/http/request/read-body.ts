import type { IncomingMessage } from "node:http";
import type { Response } from "express";
import { invalidField, ServiceError } from "../../errors/service-error";
import type { Hold, Resource } from "../../turns/resource";
import { smallBytes } from "../../turns/resources";
import { clientOf, localsOf } from "../locals";
import { whenClosed } from "../response/when-closed";
import { createValueCounter } from "./count-values";

/** More than any request needs, also in packets of a slow network. Node takes a microsecond per chunk, however small. */
const maxChunksPerMegabyte = 4_096;
/** Many times more than a request needs. Parsing and validating 100,000 values would block the event loop. */
const maxValuesPerMegabyte = 6_000;

/**
 * Reads a body of at most `maxBytes`, when it is the client's turn to have its bytes in memory. A larger one is rejected as soon as its
 * declared or received length exceeds the limit, one with too many values or chunks as soon as they have arrived.
 */
export async function readBody(
  request: IncomingMessage,
  response: Response,
  maxBytes: number,
  bodies: Resource,
): Promise<Buffer> {
  const declared = request.headers["content-length"];
  if (Number(declared ?? 0) > maxBytes) throw rejectUnread(request, tooLarge(maxBytes));
  const hold = await bodies
    .take(declared === undefined ? smallBytes : Number(declared), clientOf(response))
    .catch((error: unknown) => {
      throw rejectUnread(request, error);
    });
  localsOf(response).body = hold;
  // After that, the handler has it.
  whenClosed(response, () => localsOf(response).body?.release());
  try {
    return await receive(request, response, maxBytes, hold);
  } catch (error) {
    // The rest may take seconds to arrive, so what has arrived is given up at once.
    hold.release();
    throw error;
  }
}

/** `sendErrors` discards the body. */
function rejectUnread(request: IncomingMessage, error: unknown): unknown {
  request.pause();
  return error;
}

function receive(
  request: IncomingMessage,
  response: Response,
  maxBytes: number,
  hold: Hold,
): Promise<Buffer> {
  const megabytes = Math.ceil(maxBytes / bytesPerMegabyte);
  const [maxValues, maxChunks] = [maxValuesPerMegabyte * megabytes, maxChunksPerMegabyte * megabytes];
  const countValues = createValueCounter();
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0);
    let length = 0;
    let chunks = 0;
    const onData = (chunk: Buffer) => {
      // Only a chunked body has no declared length.
      if (!hold.tryGrow(length + chunk.length)) return rejectBody(noRoom());
      bytes = length === 0 ? chunk : append(bytes, length, chunk);
      length += chunk.length;
      chunks += 1;
      if (length > maxBytes) rejectBody(tooLarge(maxBytes));
      else if (chunks > maxChunks) rejectBody(tooManyChunks(maxChunks));
      else if (countValues(chunk) >= maxValues)
        rejectBody(invalidField("body", "", `The body has more than ${maxValues} values.`));
    };
    const rejectBody = (error: unknown) => {
      // `sendErrors` discards the rest.
      request.off("data", onData).pause();
      fail(error);
    };
    const fail = (error: unknown) => {
      bytes = Buffer.alloc(0);
      reject(error);
    };
    if (request.destroyed) return fail(incomplete());
    if (request.headers.expect !== undefined) response.writeContinue();
    onBodyFault(request, fail);
    request.on("data", onData);
    request.once("end", () => resolve(bytes.subarray(0, length)));
    // Every request emits `close`, and creating an error costs as much as reading a small body, so check first.
    const onCut = () => {
      if (!request.complete) fail(incomplete());
    };
    request.once("error", onCut).once("close", onCut);
  });
}

export const bytesPerMegabyte = 2 ** 20;
const formatBytes = (bytes: number) => `${bytes.toLocaleString("en-US")} bytes`;

const tooLarge = (maxBytes: number) =>
  new ServiceError(
    "payload_too_large",
    maxBytes < bytesPerMegabyte
      ? `The body is larger than ${formatBytes(maxBytes)}.`
      : `The body is larger than ${maxBytes / bytesPerMegabyte} MB (${formatBytes(maxBytes)}).`,
  );
const incomplete = () => new ServiceError("invalid_json", "The body is incomplete.");
const noRoom = () =>
  new ServiceError(
    "rate_limited",
    "There is no room for more of this body now. Send it with a Content-Length, and it waits for its turn.",
  );
const tooManyChunks = (maxChunks: number) =>
  new ServiceError(
    "payload_too_large",
    `The body arrived in more than ${maxChunks.toLocaleString("en-US")} chunks. Send larger ones.`,
  );

/**
 * Copies a chunk behind the bytes before it. A list of chunks would need far more memory: each chunk, even of one byte,
 * keeps an object and the whole packet that it points into.
 */
function append(bytes: Buffer, length: number, chunk: Buffer): Buffer {
  const needed = length + chunk.length;
  const target = needed <= bytes.length ? bytes : Buffer.allocUnsafe(Math.max(needed, 2 * length));
  if (target !== bytes) bytes.copy(target, 0, 0, length);
  chunk.copy(target, length);
  return target;
}

const uploads = new WeakSet<IncomingMessage>();

/** Gives the body of a request the time of an upload. */
export function allowUpload(request: IncomingMessage): void {
  uploads.add(request);
}

export const isUpload = (request: IncomingMessage): boolean => uploads.has(request);

const faults = new WeakMap<IncomingMessage, ServiceError>();
const listeners = new WeakMap<IncomingMessage, (fault: ServiceError) => void>();

/** Reports that the rest of a request's body is malformed or did not arrive in time. */
export function failBody(request: IncomingMessage, fault: ServiceError): void {
  faults.set(request, fault);
  listeners.get(request)?.(fault);
}

/** Calls the listener when the body fails, or immediately if it has failed already. */
export function onBodyFault(request: IncomingMessage, listener: (fault: ServiceError) => void): void {
  const fault = faults.get(request);
  if (fault === undefined) listeners.set(request, listener);
  else listener(fault);
}
