import type { IncomingMessage, ServerResponse } from "node:http";
import { limits } from "@madang/contract";
import { ServiceError } from "./service-error";

/**
 * The bytes of a body, of at most 1 MB. A longer one is refused as soon as that shows, by its declared length or by
 * what has come: the rest is not waited for, and its connection is closed with the answer.
 */
export function readBody(request: IncomingMessage, response: ServerResponse): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > limits.bodyBytes) refuse();
    };
    const refuse = () => {
      request.off("data", onData).pause();
      reject(new ServiceError("payload_too_large", "The body is larger than 1 MB (1,048,576 bytes)."));
    };
    if (Number(request.headers["content-length"] ?? 0) > limits.bodyBytes) return refuse();
    if (request.headers.expect !== undefined) response.writeContinue();
    request.on("data", onData);
    request.once("end", () => resolve(Buffer.concat(chunks, length)));
    // Every request closes in the end; to make an error, with its stack, costs as much as to read a small body.
    const onCut = () => {
      if (!request.complete)
        reject(new ServiceError("invalid_json", "The body ended before all of it had arrived."));
    };
    request.once("error", onCut).once("close", onCut);
  });
}
