import { valueCases } from "../cases/value-cases";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { requestTime } from "../world";

/** Days on which nothing was done, up to that of the request. */
const emptyDays = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    day: new Date(requestTime - (count - 1 - index) * 86_400_000).toISOString().slice(0, 10),
    users_created: 0,
    users_deleted: 0,
    channels_created: 0,
    messages_sent: 0,
    messages_imported: 0,
    messages_deleted: 0,
  }));

const daily = {
  "lists the last 30 days": { response: { status: 200, body: { days: emptyDays(30) } } },
  "accepts 1 day": {
    request: { query: { days: "1" } },
    response: { status: 200, body: { days: emptyDays(1) } },
  },
  "accepts 365 days": {
    request: { query: { days: "365" } },
    response: { status: 200, body: { days: emptyDays(365) } },
  },
} satisfies Interactions;

export const usage = {
  "usage.daily": {
    ...daily,
    ...valueCases(daily["accepts 1 day"], "query", "days", {
      rejects: {
        "set to 0": "0",
        "set to 366": "366",
        "with a sign": "+1",
        "with a fraction": "1.5",
        "that is no number": "all",
        "that is empty": "",
        "given twice": ["1", "1"],
      },
    }),
  },
} satisfies InteractionsByOperation;
