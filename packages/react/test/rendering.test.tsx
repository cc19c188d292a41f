import { Fragment, type ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { ChatProvider, useConnection, useConversation, useInbox, useMe, useSearch } from "../src";

/** What a page has before the service has responded. */
function Page() {
  const me = useMe();
  const { isConnected, state } = useConnection();
  const inbox = useInbox();
  const conversation = useConversation("lunch_01");
  const search = useSearch("noon");
  return (
    <Fragment>
      {JSON.stringify({
        me: me ?? null,
        connection: [isConnected, state],
        inbox: [inbox.channels, inbox.state, inbox.unreadCount],
        conversation: [conversation.messages, conversation.state, conversation.hasOlder],
        search: search.messages,
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
  });
});

test("a hook outside of the provider says what is missing", () => {
  expect(() => render(<Page />)).toThrow("There is no <ChatProvider> around this component.");
});
