import * as z from "zod";
import { dayForm, isDay, isTimeZone } from "./calendar";

/** A day of the calendar that exists, as `YYYY-MM-DD`. */
export const date = z
  .string()
  .regex(dayForm, { error: "Must be a date in the form YYYY-MM-DD.", abort: true })
  .refine(isDay, "Must be a date that exists.")
  .meta({ format: "date", examples: ["2024-01-31"] });

/** `UTC` or a name of the IANA time zone database in the form `Area/City`; offsets are not zones. */
export const timeZone = z
  .string()
  .refine(isTimeZone, "Must be UTC or a time zone name in the form Area/City, such as Asia/Seoul.")
  .meta({
    description: "`UTC`, or a name of the IANA time zone database in the form `Area/City`.",
    default: "UTC",
    examples: ["Asia/Seoul"],
  });
