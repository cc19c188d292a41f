import * as z from "zod";
import { filter as filterExample } from "../examples/data";
import { assignedId, channelId, ids, timestamp } from "../rules/fields";
import { limits } from "../rules/limits";
import { lineOfText, text } from "../rules/text";

const actions = ["reject", "mask", "report"] as const;

const fields = {
  filter_id: z
    .string()
    .meta({ description: "The id, assigned by the service.", examples: [filterExample.filter_id] }),
  label: z.string().meta({ description: "What it is for.", examples: [filterExample.label] }),
  pattern: z
    .string()
    .optional()
    .meta({ description: "The regular expression that it finds. Absent in a filter of words." }),
  channel_ids: z
    .array(z.string())
    .optional()
    .meta({ description: "The channels in which it applies. Absent: all channels." }),
  action: z.string().meta({
    description:
      "What happens to a text in which it finds something: `reject`, `mask` replaces it by `*`, `report` opens a report.",
    examples: [filterExample.action],
  }),
};
const more = {
  hit_count: z.int().meta({
    description: `In how many texts it found something in the last ${limits.filterHitDays} days, up to some seconds ago.`,
    examples: [filterExample.hit_count],
  }),
  created_at: timestamp,
  updated_at: timestamp,
};
const wordCount = z
  .int()
  .optional()
  .meta({
    description: "How many words it has. Absent in a filter with a pattern.",
    examples: [filterExample.word_count],
  });

export const filter = z
  .object({ ...fields, word_count: wordCount, ...more })
  .meta({ id: "Filter", description: "What texts of messages must not contain, without its words." });

export const filterWithWords = z
  .object({
    ...fields,
    words: z
      .array(z.string())
      .optional()
      .meta({ description: "The words that it finds. Absent in a filter with a pattern." }),
    word_count: wordCount,
    ...more,
  })
  .meta({ id: "FilterWithWords", description: "A filter with its words." });

export const filterId = assignedId("The id of a filter.", filterExample.filter_id);

const { min, max } = limits.filterWords;

export const filterInput = {
  label: lineOfText(limits.filterLabel).meta({
    description: "What it is for, 1 to 80 characters. Writers do not see it.",
    examples: [filterExample.label],
  }),
  words: z
    .array(text(limits.filterWord))
    .min(min, "Must contain at least 1 word.")
    .max(max, `Must contain at most ${max.toLocaleString("en-US")} words.`)
    .meta({
      description: `1 to ${max.toLocaleString("en-US")} words of 1 to ${limits.filterWord.maxLength} characters. A word matches a whole word; with \`*\` at its beginning or end, also a part of a longer word, which is then masked as a whole. Case, full-width forms and invisible characters are ignored, and any white space equals one space.`,
      examples: [["buy now", "casino*"]],
    }),
  pattern: text(limits.filterPattern).meta({
    description: `A regular expression in the syntax of RE2, 1 to ${limits.filterPattern.maxLength.toLocaleString("en-US")} characters, compared with the text as it was written. It must not match an empty text.`,
    examples: ["(?i)\\bcasino\\w*"],
  }),
  channel_ids: ids(channelId, "channels", limits.filterChannels).meta({
    description: `The channels in which it applies: ${limits.filterChannels.min} to ${limits.filterChannels.max}, which need not exist. Absent: all channels.`,
  }),
  action: z.enum(actions, { error: 'Must be "reject", "mask" or "report".' }).meta({
    description:
      "`reject` rejects the message with 422 `message_rejected`; `mask` stores it with `*` in place of what was found; `report` stores it and opens a report.",
  }),
};
