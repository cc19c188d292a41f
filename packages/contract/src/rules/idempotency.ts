import * as z from "zod";
import { limits } from "./limits";

const { maxLength, retentionHours } = limits.idempotencyKey;

/** Chosen by the client: new for each request, and the same when that request is repeated. */
export const idempotencyKey = z
  .string()
  .min(1, "Must not be empty.")
  .max(maxLength, `Must have at most ${maxLength} characters.`)
  .regex(/^[\x21-\x7e]*$/, "Must contain only visible ASCII characters.")
  .meta({
    description: `Makes the request safe to repeat. The first request with a key takes effect and its response is stored; for ${retentionHours} hours, the same request with the same key gets the stored response, with \`Idempotent-Replayed: true\`. Each API key has its own idempotency keys.`,
    examples: ["0f6b8f1e-7f0a-4a53-9c56-0b3c2a9f5f11"],
  });

/** The headers of every operation that changes data. */
export const changeHeaders = { "idempotency-key": idempotencyKey.optional() };
