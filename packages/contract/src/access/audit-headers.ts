import { limits } from "../rules/limits";
import { lineOfText } from "../rules/text";

/** What every operation accepts: who sends the request, and why. They are stored with the audit entry. */
export const auditHeaders = {
  "x-madang-actor": lineOfText(limits.auditHeader).meta({
    description:
      "The person on whose behalf the request is sent, for the audit log: 1 to 200 characters in UTF-8. Ignored with a token.",
    examples: ["jane@example.com"],
  }),
  "x-madang-reason": lineOfText(limits.auditHeader).meta({
    description:
      "Why the request is sent, for the audit log: 1 to 200 characters in UTF-8. Ignored with a token.",
    examples: ["ticket 4711"],
  }),
};
