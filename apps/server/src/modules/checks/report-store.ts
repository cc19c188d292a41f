import type { AddToMessage } from "../../chat/checks";
import type { Db } from "../../db/db";
import { openWriter } from "../../write/writer";
import { createReport } from "../reports/store";
import type { Filter } from "./filter-set";

/**
 * Opens a report of a message in its transaction, for each filter that found something in it. Nobody is the reporter. On Citus, reports
 * are on the coordinator, which no transaction of a channel contains: the report of a message that is then not stored stays.
 */
export const reportFor =
  (db: Db, filters: readonly Filter[], now: () => number): AddToMessage =>
  async (tx, { channelId, messageId }) => {
    for (const { label, filterId } of filters)
      await createReport(
        openWriter(tx),
        {
          channelId,
          messageId,
          reportedUserId: undefined,
          reporterUserId: undefined,
          reason: `Found by the filter ${label} (${filterId}).`,
        },
        now(),
        db.isDistributed ? db : tx,
      );
  };
