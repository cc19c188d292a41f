import { createHmac, createSecretKey } from "node:crypto";
import type { Response } from "express";
import { open } from "../security/seal";
import type { KeyMaker } from "../security/secret";
import type { KeyOfCaller } from "./store";

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Headers that belong to the answer of an operation, and not to the request that asks for it. */
const keptHeaders = ["X-Channel-Created"];

/**
 * Turns answers into what the database may hold, and back. Each is sealed under a key of its own row, so that a copy
 * of the database shows no answer, and none can be moved to another row.
 */
export function createAnswerSafe({ derive, seal }: KeyMaker) {
  const answerKey = createSecretKey(derive("idempotent answers"));
  const keyOf = ({ caller, key }: KeyOfCaller) =>
    createHmac("sha256", answerKey).update(`${caller}\n${key}`).digest();

  return {
    lock(of: KeyOfCaller, { status, body }: Answer, response: Response): Buffer {
      const headers = keptHeaders.flatMap((name) => {
        const value = response.getHeader(name);
        return value === undefined ? [] : [[name, String(value)]];
      });
      return seal(JSON.stringify({ status, body, headers }), keyOf(of));
    },
    unlock(of: KeyOfCaller, sealed: Buffer, response: Response): Answer {
      // Sealed by the function above, and by nobody else.
      const { status, body, headers } = JSON.parse(open(keyOf(of), sealed)) as Answer & {
        headers: [string, string][];
      };
      for (const [name, value] of headers) response.setHeader(name, value);
      return { status, body };
    },
    /** A transaction that failed leaves nothing of its answer behind. */
    forget(response: Response): void {
      for (const name of keptHeaders) response.removeHeader(name);
    },
  };
}
