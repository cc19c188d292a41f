import { isUtf8 } from "node:buffer";
import type { Request, RequestHandler } from "express";
import { ServiceError } from "../errors";
import { countCommas } from "./count-commas";
import { requireOperation, takesBody } from "./operation";
import { readBody } from "./read-body";

/**
 * Reads the body, which must be uncompressed JSON in UTF-8 of at most 1 MB. Runs after authentication. Without a body,
 * `request.body` stays undefined, and validation decides whether that is allowed. If the operation has no body, one
 * that is sent is not read.
 */
export function readJson(): RequestHandler {
  return (request, response, next) => {
    if (!hasBody(request) || !takesBody(requireOperation(request))) return next();
    requireJson(request);
    return readBody(request, response).then((bytes) => {
      if (bytes.length > 0) request.body = parse(bytes);
      next();
    });
  };
}

function hasBody({ headers }: Request): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function requireJson({ headers }: Request): void {
  if (!/^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i.test(headers["content-type"] ?? ""))
    throw new ServiceError(
      "unsupported_media_type",
      "Send the body as JSON in UTF-8, with Content-Type: application/json.",
    );
  // A few compressed bytes could expand to many.
  if (!/^(identity)?$/i.test(headers["content-encoding"] ?? ""))
    throw new ServiceError("unsupported_media_type", "Send the body uncompressed, without Content-Encoding.");
}

/** Many times more than a request needs. Validating 100,000 values would block the event loop. */
const maxValues = 2_000;

function parse(bytes: Buffer): unknown {
  if (bytes.length > maxValues && countCommas(bytes) >= maxValues) {
    const message = `The body has more than ${maxValues} values.`;
    throw new ServiceError("invalid_request", message, [{ in: "body", path: "", message }]);
  }
  // Decoding would replace invalid UTF-8 with U+FFFD, and the stored text would differ from what was sent.
  if (!isUtf8(bytes)) throw new ServiceError("invalid_json", "The body is not valid UTF-8.");
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new ServiceError("invalid_json", "The body is not valid JSON.");
  }
}
