import * as z from "zod";
import { limits } from "./limits";

const { maxLength, keptHours } = limits.idempotencyKey;

/** Chosen by the caller, fresh for each request and the same when that request is repeated. */
export const idempotencyKey = z
  .string()
  .min(1, "Must not be empty.")
  .max(maxLength, `Must have at most ${maxLength} characters.`)
  .regex(/^[\x21-\x7e]*$/, "May contain visible ASCII characters only.")
  .meta({
    description: `Makes the request safe to repeat. The first request with a key takes effect, and its answer is stored with the effect; the same request with the same key gets that answer, with \`Idempotent-Replayed: true\`, for ${keptHours} hours. Keys belong to the credential that sent them.`,
    examples: ["0f6b8f1e-7f0a-4a53-9c56-0b3c2a9f5f11"],
  });

/** The headers of every operation that changes something. */
export const changeHeaders = { "idempotency-key": idempotencyKey.optional() };
