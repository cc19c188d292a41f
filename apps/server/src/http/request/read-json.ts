import { isUtf8 } from "node:buffer";
import { setImmediate } from "node:timers/promises";
import type { Request, RequestHandler, Response } from "express";
import { ServiceError } from "../../errors/service-error";
import type { Resource } from "../../turns/resource";
import { requireCaller } from "../auth/authenticate";
import type { AuthDeps } from "../deps";
import { bytesPerMegabyte } from "../hardening/body-limit";
import { requireOperation, takesBody } from "./operation";
import { readBody } from "./read-body";

/**
 * Reads the body, which must be uncompressed JSON in UTF-8. Runs after authentication. Without a body,
 * `request.body` stays undefined, and validation decides whether that is allowed. If the operation has no body, one
 * that is sent is not read.
 */
export function readJson(deps: AuthDeps): RequestHandler {
  return (request, response, next) => {
    const operation = requireOperation(request);
    if (!hasBody(request) || !takesBody(operation)) return next();
    const isComplete = request.complete;
    return readJsonBody(request, response, operation.maxBodyBytes, deps.resources.bodies).then(
      async (body) => {
        // While the rest of the body arrived, the key may have been revoked or have expired.
        if (!isComplete) await requireCaller(deps, request);
        request.body = body;
        next();
      },
    );
  };
}

/** The body of a request that needs no operation of the contract. Undefined if there is none. */
export async function readJsonBody(
  request: Request,
  response: Response,
  maxBytes: number,
  bodies: Resource,
): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  requireJson(request);
  const bytes = await readBody(request, response, maxBytes, bodies);
  return bytes.length > 0 ? parse(bytes) : undefined;
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

/** In steps of a few milliseconds, between which other requests run. */
async function parse(bytes: Buffer): Promise<unknown> {
  // Decoding would replace invalid UTF-8 with U+FFFD, and the stored text would differ from what was sent.
  if (!isUtf8(bytes)) throw new ServiceError("invalid_json", "The body is not valid UTF-8.");
  const text = bytes.toString();
  await pauseAfter(bytes);
  const value = parseText(text);
  await pauseAfter(bytes);
  return value;
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError("invalid_json", "The body is not valid JSON.");
  }
}

async function pauseAfter({ length }: Buffer): Promise<void> {
  if (length > bytesPerMegabyte) await setImmediate();
}
