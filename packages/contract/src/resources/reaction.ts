import * as z from "zod";
import { reactionCounts as countsExample } from "../examples/data";
import { limits } from "../rules/limits";

const { minLength, maxLength } = limits.reaction;

/** A URL drops the path segments `.` and `..`, however they are encoded. At least one character is visible. */
const pattern =
  /^(?!\.{1,2}$)(?=.*[^\p{Cf}\p{Default_Ignorable_Code_Point}])[^\p{White_Space}\p{Cc}\p{Cs}\p{Bidi_Control}]+$/u;

const rule = `Must have ${minLength} to ${maxLength} characters, one of them visible, no white space and no control characters, and not be "." or "..".`;

/** As a path segment. NFC makes a few characters several ones: the result must fit too, so that it can be sent back. */
export const reaction = z
  .string()
  .refine((text) => pattern.test(text) && isShort(text) && isShort(text.normalize("NFC")), rule)
  .meta({
    description: `A reaction, such as an emoji: ${minLength} to ${maxLength} characters without white space and control characters, not \`.\` or \`..\`. It is stored, and compared, in the normal form NFC.`,
    pattern: pattern.source,
    minLength,
    maxLength,
    examples: ["👍"],
  });

/** Counts code points. */
function isShort(text: string): boolean {
  return [...text].length <= maxLength;
}

export const shownReaction = z
  .string()
  .meta({ description: "The reaction, in the normal form NFC.", examples: ["👍"] });

export const reactionCounts = z
  .array(
    z
      .object({
        reaction: shownReaction,
        count: z.int().meta({ description: "The number of users.", examples: [2] }),
        own: z
          .boolean()
          .optional()
          .meta({ description: "Whether the user of `as_user` has it. Absent without `as_user`." }),
      })
      .meta({ id: "ReactionCount", description: "A reaction to a message, and how many users have it." }),
  )
  .meta({
    description: "The different reactions, in the order of their first use.",
    examples: [countsExample],
  });
