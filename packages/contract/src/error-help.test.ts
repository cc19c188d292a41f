import { expect, test } from "vitest";
import { errorHelp } from "./error-help";
import { errorCodes, errors } from "./errors";

test("docs/errors.md explains the codes of the contract, in these words", async () => {
  const sections = errorCodes.map((code) => {
    const { status, title } = errors[code];
    const { happened, fix } = errorHelp[code];
    return `## ${code}\n\n${status} · ${title}\n\n**What happened.** ${happened}\n\n**How to fix it.** ${fix}\n`;
  });
  await expect(`${introduction}\n${sections.join("\n")}`).toMatchFileSnapshot("../../../docs/errors.md");
});

const introduction = `# Errors

Every refusal is a problem of RFC 9457, sent as \`application/problem+json\`: \`type\` (a link to the code on the reference page),
\`title\`, \`status\`, \`detail\` (what is wrong with this very request), \`code\`, \`request_id\`, and with \`invalid_request\`
the broken rules in \`errors\`. The codes are a closed list, and each has one status. This page is written by
\`pnpm --filter @madang/contract run openapi\` out of \`packages/contract/src/error-help.ts\`.
`;
