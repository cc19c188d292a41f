import {
  type ConversationView,
  type InboxFilter,
  type InboxLine,
  type PreferencesChange,
  type ShownMessage,
  useInbox,
  useSecondsUntil,
} from "@madang/react";
import { type FormEvent, useState } from "react";

export function Inbox() {
  const [filter, setFilter] = useState<InboxFilter>("all");
  const { channels, unreadCount } = useInbox({ filter });
  return (
    <nav>
      <h1>{unreadCount} unread</h1>
      <button type="button" onClick={() => setFilter(filter === "all" ? "archived" : "all")}>
        {filter === "all" ? "Archive" : "Back"}
      </button>
      <ul>
        {channels.map((line) => (
          <Line key={line.channel_id} line={line} />
        ))}
      </ul>
    </nav>
  );
}

function Line({ line: { name, unread_count, preferences = {}, setPreferences } }: { line: InboxLine }) {
  const { archived = false, notify = "all", pinned_at } = preferences;
  const button = (label: string, change: PreferencesChange) => (
    <button type="button" onClick={() => setPreferences(change).catch((error) => alert(error.message))}>
      {label}
    </button>
  );
  return (
    <li>
      {name} ({unread_count})
      {pinned_at ? button("Unpin", { pinned: false }) : button("Pin", { pinned: true })}
      {archived ? button("Unarchive", { archived: false }) : button("Archive", { archived: true })}
      {notify === "none" ? button("Unmute", { notify: "all" }) : button("Mute", { notify: "none" })}
    </li>
  );
}

export function Composer({ conversation }: { conversation: ConversationView }) {
  const seconds = useSecondsUntil(conversation.slowModeUntil);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    conversation.send({ content: String(new FormData(event.currentTarget).get("content")) });
    event.currentTarget.reset();
  }
  return (
    <form onSubmit={submit}>
      <input name="content" aria-label="Message" required disabled={seconds > 0} />
      {seconds > 0 && `You can write again in ${seconds} s.`}
    </form>
  );
}

/** Below a message with the status `failed`. */
export function Failure({ shown, conversation }: { shown: ShownMessage; conversation: ConversationView }) {
  const { retry, discard } = conversation;
  return (
    <p role="alert">
      {shown.error?.text}
      {shown.error?.canRetry && (
        <button type="button" onClick={() => retry(shown)}>
          Try again
        </button>
      )}
      <button type="button" onClick={() => discard(shown)}>
        Discard
      </button>
    </p>
  );
}
