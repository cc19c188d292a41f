import * as z from "zod";

/** What the problem of `message_rejected` has besides the members of all. */
export const rejection = {
  check: z
    .enum(["filter", "hook"])
    .optional()
    .meta({ description: "Of `message_rejected`: what rejected the text.", examples: ["filter"] }),
  filter_id: z.string().optional().meta({ description: "Of `message_rejected`: the filter, if it was one." }),
  reason: z
    .string()
    .optional()
    .meta({ description: "Of `message_rejected`: the reason that the hook gave for the writer." }),
};
