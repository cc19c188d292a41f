import { expect, test } from "vitest";
import { errorHelp } from "./error-help";
import { errorCodes, errors } from "./errors";

test("docs/errors.md explains every code of the contract", async () => {
  const sections = errorCodes.map((code) => {
    const { status, title } = errors[code];
    const { happened, fix, detail } = errorHelp[code];
    return `## ${code}\n\n${status} · ${title}\n\n**What happened.** ${happened}\n\n**How to fix it.** ${fix}\n\n**Example of \`detail\`.** ${escapeMarkdown(detail)}\n`;
  });
  await expect(`${introduction}\n${sections.join("\n")}`).toMatchFileSnapshot("../../../../docs/errors.md");
});

/** Escapes `<key>`, which is not a tag. */
const escapeMarkdown = (text: string) => text.replaceAll("<", "\\<").replaceAll("_", "\\_");

const introduction = `# Errors

Every error response has problem details (RFC 9457), sent as \`application/problem+json\`: \`type\` (a link to the code on the reference
page), \`title\`, \`status\`, \`detail\` (the explanation for this request), \`code\`, \`request_id\`, and for \`invalid_request\` the violated
rules in \`errors\`. These are all codes, and each has one status. This page is generated from
\`packages/contract/src/errors/error-help.ts\` by \`pnpm --filter @madang/contract run openapi\`.
`;
