import type { AddToMessage } from "../../chat/checks";
import { openWriter } from "../../write/writer";
import { createReport } from "../reports/store";
import type { Filter } from "./filter-set";

/** Opens a report of a message in its transaction, for each filter that found something in it. Nobody is the reporter. */
export const reportFor =
  (filters: readonly Filter[], now: () => number): AddToMessage =>
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
      );
  };
