import { createBatcher } from "../../db/batch";
import { bindClaim } from "../../db/bind-claim";
import type { Claim } from "../../db/claim";
import type { Queryable } from "../../db/db";
import { isDatabaseUnavailable, isWaitingForKey } from "../../db/faults";
import { ServiceError } from "../../errors";
import type { MessageRow } from "./row";
import { type BatchedMessage, type NewMessage, sendBatch, sendMessage } from "./store";

/**
 * Sends messages in batches. A channel's row counts its messages and allows one writer at a time; a batch writes it once.
 */
export function batchMessages(
  db: Queryable,
  now: () => number,
): (message: NewMessage, claim?: Claim) => Promise<MessageRow> {
  const send = createBatcher<BatchedMessage, MessageRow>({
    keyOf: ({ message }) => message.channelId,
    distinctOf: ({ claim }) => claim && `${claim.caller} ${claim.key}`,
    // On Citus, the channels of a batch would be on several nodes.
    isSingleKeyed: db.isDistributed,
    maxSize: 64,
    maxRunning: db.isDistributed ? Number.POSITIVE_INFINITY : 2,
    maxWaitMs: 2_000,
    maxWaitAfterFailureMs: 250,
    runMany: (batch, mayWait) => sendBatch(db, batch, now(), mayWait),
    runOne: ({ message, claim }) => sendMessage(claim ? bindClaim(db, claim) : db, message, now()),
    isUnavailable: (error) => isDatabaseUnavailable(error) && !isWaitingForKey(error),
    lateError: ({ message }) =>
      new ServiceError(
        "unavailable",
        `Too many messages are being sent to the channel ${message.channelId}. Try again shortly.`,
      ),
  });
  return (message, claim) => send({ message, claim });
}
