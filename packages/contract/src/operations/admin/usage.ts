import * as z from "zod";
import { commonErrors, problems } from "../../errors/errors";
import { usageDay as dayExample } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { c } from "../../router";
import { limits } from "../../rules/limits";

const { min, max, default: defaultDays } = limits.usageDays;
const daysRule = `Must be a whole number from ${min} to ${max}.`;
const days = z
  .string()
  .regex(/^[0-9]{1,9}$/, daysRule)
  .transform(Number)
  .refine((value) => value >= min && value <= max, daysRule)
  .meta({
    description: `How many days, up to today: ${min} to ${max}, default ${defaultDays}.`,
    type: "integer",
    minimum: min,
    maximum: max,
    default: defaultDays,
  });

const count = (what: string) => z.int().meta({ description: `The number of ${what}.` });

const usageDay = z
  .object({
    day: z
      .string()
      .meta({ description: "The day, from midnight to midnight UTC.", examples: ["2026-11-23"] }),
    users_created: count("users that were created"),
    users_deleted: count("users that were deleted"),
    channels_created: count("channels that were created"),
    messages_sent: count("messages that were sent"),
    messages_imported: count("messages that were imported on this day, whatever their own times"),
    messages_deleted: count("messages that were deleted, also by age"),
  })
  .meta({ id: "UsageDay", description: "The usage of one day." });

export const usage = c.router({
  daily: {
    method: "GET",
    path: "/usage",
    summary: "Get the usage of each day",
    description:
      "The last days in UTC, oldest first, today included. A day on which nothing was done has zeros. The counts are at most five seconds old. The messages of a deleted channel are not counted as deleted.",
    query: z.strictObject({ days: days.optional() }),
    responses: {
      200: z
        .object({ days: z.array(usageDay).meta({ description: "The days, oldest first." }) })
        .meta({ id: "DailyUsage", description: "The usage of each day." }),
      ...problems(commonErrors),
    },
    metadata: metadata({
      sdk: { example: "const { days } = await chat.usage.daily({ days: 7 });" },
      access: "any_key",
      user: "no",
      examples: { responses: example("The last day of the list", { days: [dayExample] }) },
    }),
  },
});
