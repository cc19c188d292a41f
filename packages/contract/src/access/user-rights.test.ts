import { expect, test } from "vitest";
import { operations } from "../operation-list";
import { type UserRight, userRights } from "../operation-metadata";
import { eventStreamOperation } from "../operations/events/event-stream";

test("docs/rights-of-users.md names the right of every operation", async () => {
  const all = [...operations, eventStreamOperation].filter(({ variantOf }) => variantOf === undefined);
  const rows = userRights.map((right) => {
    const ids = all.filter(({ user }) => user === right).map(({ id }) => `\`${id}\``);
    return `| \`${right}\` | ${who[right]} | ${ids.join(", ")} |`;
  });
  const page = `${introduction}\n| right | who | operations |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
  await expect(page).toMatchFileSnapshot("../../../../docs/rights-of-users.md");
});

const who: Readonly<Record<UserRight, string>> = {
  member: "the participants and managers of the channel; events are those of the user and of its channels",
  self: "the user itself, where the request names a user; the name may be left out of a body",
  author:
    "the sender of the message, while it may send to the channel; it may always end a message without new content",
  author_or_manager:
    "the sender of the message unless the channel is frozen, and the managers of the channel",
  manager: "the managers of the channel",
  no: "nobody: `not_permitted`",
};

const introduction = `# The rights of users

What a request may do that acts as a user, with a token or a key of the user ([browsers and phones](guides/browsers-and-phones.md)). For a
user who is neither participant nor manager, a channel does not exist. This page is generated from the contract by
\`pnpm --filter @madang/contract run openapi\`; \`x-madang-user\` in OpenAPI has the same words.
`;
