import type { IncomingMessage } from "node:http";
import type { Response } from "express";
import { ServiceError } from "../../errors/service-error";
import type { Hold, Resource } from "../../turns/resource";
import { smallBytes } from "../../turns/resources";
import { onBodyFault } from "../hardening/body-faults";
import { createBodyLimit, tooLarge } from "../hardening/body-limit";
import { clientOf, localsOf } from "../locals";
import { whenClosed } from "../response/when-closed";

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
  const findFault = createBodyLimit(maxBytes);
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0);
    let length = 0;
    const onData = (chunk: Buffer) => {
      // Only a chunked body has no declared length.
      if (!hold.tryGrow(length + chunk.length)) return rejectBody(noRoom());
      bytes = length === 0 ? chunk : append(bytes, length, chunk);
      length += chunk.length;
      const fault = findFault(chunk);
      if (fault !== undefined) rejectBody(fault);
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

const incomplete = () => new ServiceError("invalid_json", "The body is incomplete.");
const noRoom = () =>
  new ServiceError(
    "rate_limited",
    "There is no room for more of this body now. Send it with a Content-Length, and it waits for its turn.",
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
