import {
  ChatProvider,
  type ConversationView,
  type Message,
  type ShownMessage,
  useConnection,
  useConversation,
  useInbox,
  useMe,
  useScroll,
  useSearch,
} from "@madang/react";
import {
  type ComponentProps,
  type FormEvent,
  type PropsWithChildren,
  StrictMode,
  useCallback,
  useState,
} from "react";
import { createRoot } from "react-dom/client";
import { Notifications, useHash } from "./notifications";
import "./style.css";

/** Asks the server of the application, which knows who is signed in. */
async function getToken() {
  const response = await fetch(`/chat-token${location.search}`, { method: "POST" });
  if (!response.ok) throw new Error(`The server responded with ${response.status}.`);
  return response.json();
}

function App() {
  const [place, setPlace] = useState<Partial<Place>>({});
  const { channelId } = place;
  useHash(useCallback((id: string) => setPlace({ channelId: id }), []));
  return (
    <main className={channelId ? "open" : ""}>
      <Inbox channelId={channelId} onOpen={setPlace} />
      {channelId && <Channel key={channelId} {...place} channelId={channelId} onClose={() => setPlace({})} />}
    </main>
  );
}

type Open = (place: Place) => void;

function Inbox({ channelId, onOpen }: { channelId: string | undefined; onOpen: Open }) {
  const me = useMe();
  const { channels, hasMore, loadMore, unreadCount, state } = useInbox();
  const { isConnected, state: connection, retry } = useConnection();
  const [text, setText] = useState("");
  return (
    <nav aria-label="Channels">
      <header>
        <h1>{me?.name ?? "…"}</h1>
        {unreadCount > 0 && <Count value={unreadCount} label="unread" />}
        <small role="status">
          {isConnected ? "" : connection === "failed" ? "Not signed in" : "Connecting…"}
        </small>
        {connection === "failed" && <Button onClick={retry}>Try again</Button>}
        <Notifications />
      </header>
      <input
        type="search"
        placeholder="Search"
        aria-label="Search"
        onChange={(event) => setText(event.target.value)}
      />
      {text.trim() ? (
        <Results text={text} onOpen={onOpen} />
      ) : (
        <ul>
          {channels.map(({ channel_id: id, name, unread_count: unread, last_message: last }) => (
            <li key={id}>
              <Button aria-current={id === channelId} onClick={() => onOpen({ channelId: id })}>
                <b>{name}</b>
                {unread > 0 && <Count value={unread} label="unread" />}
                <span className="clip">{last && preview(last)}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {hasMore && !text && <Button onClick={loadMore}>More</Button>}
      {state === "failed" && <p>The channels could not be loaded.</p>}
    </nav>
  );
}

function Results({ text, onOpen }: { text: string; onOpen: Open }) {
  const { messages, hasMore, loadMore, isSearching } = useSearch(text);
  return (
    <ul aria-label="Results" aria-busy={isSearching}>
      {messages.map((message) => (
        <li key={message.message_id}>
          <Button onClick={() => onOpen({ channelId: message.channel_id, around: message.message_id })}>
            <b>{message.type === "system" ? "" : message.user.name}</b>
            <span className="clip">{preview(message)}</span>
          </Button>
        </li>
      ))}
      {messages.length === 0 && !isSearching && <li>Nothing found</li>}
      {hasMore && <Button onClick={loadMore}>More</Button>}
    </ul>
  );
}

type Place = { channelId: string; around?: string | undefined };

function Channel({ channelId, around, onClose }: Place & { onClose: () => void }) {
  const conversation = useConversation(channelId, { around });
  const { messages, members, typing, hasNewer, state, error, open, reload, markRead } = conversation;
  const { ref, onScroll } = useScroll<HTMLOListElement>(conversation, markRead);
  const [replyTo, setReplyTo] = useState<ShownMessage>();
  const title = useInbox().channels.find(({ channel_id }) => channel_id === channelId)?.name;
  const last = messages.findLast(({ isOwn, status }) => isOwn && status === "sent");
  return (
    <section aria-label="Conversation">
      <header>
        <Button onClick={onClose}>Back</Button>
        <h1>{title}</h1>
        <small className="clip">{members.map(({ name }) => name).join(", ")}</small>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ol ref={ref} onScroll={onScroll} aria-label="Messages" tabIndex={0}>
        {messages.map((shown) => (
          <Row key={shown.key} shown={shown} conversation={conversation} onReply={() => setReplyTo(shown)}>
            {shown === last && <Readers names={conversation.readers(shown).map(({ name }) => name)} />}
          </Row>
        ))}
        {messages.length === 0 && <li>{state === "ready" ? "No messages yet" : "Loading…"}</li>}
      </ol>
      {error !== undefined && <Button onClick={reload}>Not everything could be loaded. Try again</Button>}
      {hasNewer && <Button onClick={() => open()}>To the newest messages</Button>}
      <p className="quiet" role="status">
        {typing.length > 0 && `${typing.map(({ name }) => name).join(", ")} is typing…`}
      </p>
      <Composer conversation={conversation} replyTo={replyTo} onReplied={() => setReplyTo(undefined)} />
    </section>
  );
}

type RowProps = PropsWithChildren<{ shown: ShownMessage; conversation: ConversationView; onReply(): void }>;

function Row({ shown, conversation, onReply, children }: RowProps) {
  const { key, status, message, isOwn, isDeleted, quote, progress } = shown;
  const { react, remove, edit, retry, discard } = conversation;
  const has = (reaction: string) => message.reactions?.some((count) => count.reaction === reaction);
  function change() {
    const content = prompt("Edit", preview(message));
    if (content) edit(shown, content).catch(report);
  }
  if (message.type === "system") return <li data-message={key}>{preview(message)}</li>;
  return (
    <li data-message={key} className={isOwn ? "own" : ""}>
      {!isOwn && <b>{message.user.name}</b>}
      {quote && (
        <blockquote className="clip">{quote === "deleted" ? "A deleted message" : preview(quote)}</blockquote>
      )}
      <p className="text">{isDeleted ? <i>Deleted</i> : message.type === "text" && message.content}</p>
      {!isDeleted &&
        message.type === "text" &&
        message.attachments?.map((file) => <Attachment key={file.file_id || file.name} {...file} />)}
      <p className="marks">
        {message.edited_at && <small>edited</small>}
        {status === "sending" && <small>{progress ? `${Math.round(progress * 100)} %` : "sending"}</small>}
        {status === "failed" && (
          <>
            <small>not sent</small>
            <Button onClick={() => retry(shown)}>Try again</Button>
            <Button onClick={() => discard(shown)}>Discard</Button>
          </>
        )}
        {status === "sent" && !isDeleted && (
          <>
            {message.reactions?.map(({ reaction, count, own }) => (
              <Button key={reaction} aria-pressed={own} onClick={() => react(shown, reaction).catch(report)}>
                {reaction} {count}
              </Button>
            ))}
            <span className="actions">
              {!has("👍") && <Button onClick={() => react(shown, "👍").catch(report)}>👍</Button>}
              <Button onClick={onReply}>Reply</Button>
              {isOwn && <Button onClick={change}>Edit</Button>}
              {isOwn && <Button onClick={() => remove(shown).catch(report)}>Delete</Button>}
            </span>
          </>
        )}
        {children}
      </p>
    </li>
  );
}

const Button = (props: ComponentProps<"button">) => <button type="button" {...props} />;

const Readers = ({ names }: { names: string[] }) =>
  names.length > 0 && <small>Read by {names.join(", ")}</small>;

const Attachment = ({ name, type, url }: { name: string; type: string; url: string }) =>
  type.startsWith("image/") && url ? <img src={url} alt={name} /> : <a href={url}>{name}</a>;

const Count = ({ value, label }: { value: number; label: string }) => (
  <span className="count" title={label}>
    {value < 100 ? value : "99+"}
  </span>
);

type ComposerProps = { conversation: ConversationView; replyTo: ShownMessage | undefined; onReplied(): void };

function Composer({ conversation: { send, setTyping }, replyTo, onReplied }: ComposerProps) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const content = String(form.get("content")).trim();
    const files = form
      .getAll("files")
      .filter((file) => file instanceof window.File && file.size > 0) as File[];
    if (content === "" && files.length === 0) return;
    send({ content, files, ...(replyTo && { reply_to: replyTo.message.message_id }) });
    event.currentTarget.reset();
    onReplied();
  }
  return (
    <form className="composer" onSubmit={submit}>
      {replyTo && (
        <p className="clip quiet">
          Reply to {preview(replyTo.message)} <Button onClick={onReplied}>Cancel</Button>
        </p>
      )}
      <input name="content" aria-label="Message" autoComplete="off" onInput={() => setTyping(true)} />
      <label>
        File
        <input name="files" type="file" multiple onChange={(event) => event.target.form?.requestSubmit()} />
      </label>
      <Button type="submit">Send</Button>
    </form>
  );
}

/** A message in one line. */
function preview(message: Message): string {
  if (message.type === "file") return message.file.name;
  return message.content || (message.attachments ?? []).map(({ name }) => name).join(", ");
}

function report(error: unknown): void {
  alert(error instanceof Error ? error.message : error);
}

createRoot(document.querySelector("#root") ?? document.body).render(
  <StrictMode>
    <ChatProvider url={import.meta.env.MADANG_URL} token={getToken}>
      <App />
    </ChatProvider>
  </StrictMode>,
);
