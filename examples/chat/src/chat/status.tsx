import type { ConversationView, ShownMessage } from "@madang/react";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { previewOf } from "./format";
import { Icon } from "./icons";
import { useConnectionNote } from "./notices";
import { useTexts } from "./texts";

/** Stands where there is nothing to show, and says why. */
export function Nothing({ title, hint, retry }: { title: string; hint?: string; retry?: () => void }) {
  const texts = useTexts();
  return (
    <div className="chat-empty">
      <Icon name={retry ? "warning" : "chat"} size={28} />
      <strong>{title}</strong>
      {hint && <p>{hint}</p>}
      {retry && (
        <button type="button" className="chat-button chat-primary" onClick={retry}>
          {texts.tryAgain}
        </button>
      )}
    </div>
  );
}

/** What is to come has the shape of what will be there. */
export const LinesSkeleton = () => (
  <div className="chat-lines" aria-busy="true">
    {["one", "two", "three", "four", "five", "six"].map((name) => (
      <div key={name} className="chat-line chat-skeleton">
        <i />
        <i />
        <i />
      </div>
    ))}
  </div>
);

interface NotesProps {
  /** What is shown for some seconds. */
  readonly notice: string;
}

/** What lies over the page: how the connection is, and what has been done. Neither covers the newest messages. */
export function Notes({ notice }: NotesProps) {
  const texts = useTexts();
  const isOnline = useSyncExternalStore(
    subscribeToNetwork,
    () => navigator.onLine,
    () => true,
  );
  const note = useConnectionNote(isOnline);
  return (
    <div className="chat-notes">
      <div role="status">
        {note && (
          <p className="chat-connection">
            {note.text}
            {note.retry && (
              <button type="button" className="chat-link" onClick={note.retry}>
                {texts.tryAgain}
              </button>
            )}
          </p>
        )}
      </div>
      <p className="chat-notice" role="alert">
        {notice}
      </p>
    </div>
  );
}

function subscribeToNetwork(onChange: () => void): () => void {
  for (const name of ["online", "offline"]) addEventListener(name, onChange);
  return () => {
    for (const name of ["online", "offline"]) removeEventListener(name, onChange);
  };
}

/** Says each new message once to a screen reader. Older ones that are loaded are no news. */
export function Announcer({ messages, hasNewer }: Pick<ConversationView, "hasNewer" | "messages">) {
  const texts = useTexts();
  const [openedAt] = useState(Date.now);
  const said = useRef<readonly ShownMessage[]>([]);
  const isNews = ({ message, isOwn, isBlocked, isDeleted }: ShownMessage) =>
    message.created_at > openedAt && !isOwn && !isBlocked && !isDeleted && !isWriting(message);
  // Elsewhere in the history, the last ones stay: they would be said again later.
  const news = hasNewer ? said.current : messages.slice(-20).filter(isNews).slice(-5);
  useEffect(() => {
    said.current = news;
  });
  return (
    <div className="chat-hidden" aria-live="polite" aria-relevant="additions">
      {news.map(({ key, message }) => (
        <p key={key}>
          {message.type !== "system" && `${message.user.name}: `}
          {previewOf(message, texts)}
        </p>
      ))}
    </div>
  );
}

const isWriting = (message: ShownMessage["message"]): boolean =>
  message.type !== "file" && message.state === "streaming";
