import { Fragment, type ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { Composer, Failure, Inbox } from "../samples/parts";
import { ChatProvider, useBlocks, useConnection, useConversation, useInbox, useMe, useSearch } from "../src";

/** What a page has before the service has responded. */
function Page() {
  const me = useMe();
  const { isConnected, state } = useConnection();
  const inbox = useInbox();
  const conversation = useConversation("lunch_01");
  const search = useSearch("noon");
  const blocks = useBlocks();
  return (
    <Fragment>
      {JSON.stringify({
        me: me ?? null,
        connection: [isConnected, state],
        inbox: [inbox.channels, inbox.state, inbox.unreadCount],
        conversation: [conversation.messages, conversation.state, conversation.hasOlder],
        search: search.messages,
        blocks: [blocks.users, blocks.state],
      })}
    </Fragment>
  );
}

const render = (page: ReactNode) => renderToString(page).replaceAll("&quot;", '"');

test("a server renders the empty state, and sends no request", () => {
  const getToken = () => {
    throw new Error("It is not called.");
  };
  const html = render(
    <ChatProvider url="https://chat.example.com" token={getToken}>
      <Page />
    </ChatProvider>,
  );
  expect(JSON.parse(html)).toEqual({
    me: null,
    connection: [false, "connecting"],
    inbox: [[], "loading", 0],
    conversation: [[], "loading", false],
    search: [],
    blocks: [[], "loading"],
  });
});

const time = { created_at: 1, updated_at: 1 };
const kim = { user_id: "kim_01", name: "Kim", meta: {}, ...time };
const message = {
  message_id: "1-1",
  channel_id: "lunch_01",
  type: "text" as const,
  user: kim,
  content: "Noon?",
  meta: {},
  ...time,
};
const line = {
  channel_id: "lunch_01",
  name: "Lunch",
  type: "group",
  freeze: false,
  total_message_count: 1,
  total_file_count: 0,
  meta: {},
  joined_at: 1,
  unread_count: 1,
  mention_count: 0,
  member_count: 2,
  members: [{ ...kim, joined_at: 1 }],
  last_message: message,
  ...time,
};
function Read() {
  const inbox = useInbox({ members: true, initial: { items: [line], nextCursor: "next" } });
  const conversation = useConversation("lunch_01", { initial: { items: [message] } });
  const [shown] = conversation.messages;
  const names = inbox.channels[0]?.members?.map(({ name }) => name);
  return (
    <Fragment>
      {JSON.stringify([
        [inbox.state, names, inbox.unreadCount, inbox.hasMore],
        [conversation.state, shown?.message, shown?.isOwn, conversation.hasOlder],
        useMe()?.name,
      ])}
    </Fragment>
  );
}

test("a server renders what it has read itself", () => {
  const html = render(
    <ChatProvider url="https://chat.example.com" token="ut_1" user={kim}>
      <Read />
    </ChatProvider>,
  );
  expect(JSON.parse(html)).toEqual([["ready", ["Kim"], 1, true], ["ready", message, true, false], "Kim"]);
});

function Parts() {
  const conversation = useConversation("lunch_01", { initial: { items: [message] } });
  const [shown] = conversation.messages;
  const error = { code: "member_muted", text: "You cannot write here at the moment." };
  const fail = (canRetry: boolean) =>
    shown && <Failure conversation={conversation} shown={{ ...shown, error: { ...error, canRetry } }} />;
  return (
    <Fragment>
      <Inbox />
      <Composer conversation={{ ...conversation, slowModeUntil: Date.now() + 29_500 }} />
      <Composer conversation={conversation} />
      {fail(true)}
      {fail(false)}
    </Fragment>
  );
}

test("the parts of a page that the README shows", () => {
  const html = render(
    <ChatProvider url="https://chat.example.com" token="ut_1" user={kim}>
      <Parts />
    </ChatProvider>,
  ).replaceAll("<!-- -->", "");
  expect(html).toContain("<h1>0 unread</h1>");
  expect(html.match(/disabled=""/g)).toHaveLength(1);
  expect(html.match(/You can write again in 30 s\./g)).toHaveLength(1);
  expect(html.match(/You cannot write here at the moment\./g)).toHaveLength(2);
  expect(html.match(/Try again/g)).toHaveLength(1);
  expect(html.match(/Discard/g)).toHaveLength(2);
});

test("a hook outside of the provider says what is missing", () => {
  expect(() => render(<Page />)).toThrow("There is no <ChatProvider> around this component.");
});
