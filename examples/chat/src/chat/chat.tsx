import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { Conversation, type Initial, type Place } from "./conversation";
import { Inbox } from "./inbox";
import { NoticeContext, useNoticeText } from "./notices";
import { loadMenus } from "./on-demand";
import { Notes, Nothing } from "./status";
import { chooseTexts, TextsContext } from "./texts";
import "./styles/theme.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/avatar.css";
import "./styles/states.css";
import "./styles/inbox.css";
import "./styles/conversation.css";
import "./styles/composer.css";
import "./styles/message.css";
import "./styles/bubble.css";
import "./styles/attachments.css";
import "./styles/menu.css";
import "./styles/dialog.css";

interface ChatProps {
  /** What is open. Undefined: the inbox alone. */
  readonly place: Place | undefined;
  readonly onOpen: (place: Place | undefined) => void;
  /** What a server has read: the inbox, and the newest messages of what is open. */
  readonly initial?: Initial | undefined;
  /** The address of the service worker that shows notifications. Without one, there are none. */
  readonly serviceWorker?: string | undefined;
  /** Default: the languages of the browser. */
  readonly languages?: readonly string[];
}

/** A whole chat, as large as what it stands in. It needs a `<ChatProvider>` around it. */
export function Chat({
  place,
  onOpen,
  initial,
  serviceWorker,
  languages = globalThis.navigator?.languages ?? [],
}: ChatProps) {
  // A server does not know the time zone of the person, so the first rendering in the browser has that of the server, too.
  const timeZone = useSyncExternalStore(
    () => () => undefined,
    () => undefined,
    () => "UTC",
  );
  const texts = useMemo(() => ({ ...chooseTexts(languages), timeZone }), [languages, timeZone]);
  const [notice, setNotice] = useNoticeText();
  useEffect(() => {
    const timer = setTimeout(loadMenus, 2_000);
    return () => clearTimeout(timer);
  }, []);
  const page = useRef<HTMLDivElement>(null);
  const leave = useCallback(() => onOpen(undefined), [onOpen]);
  // Leaving a conversation leads back to where it was opened.
  const channelId = place?.channelId;
  useEffect(() => {
    const inbox = page.current?.querySelector(".chat-inbox");
    return () => {
      if (channelId === undefined) return;
      const line = inbox?.querySelector<HTMLElement>(`[data-channel="${CSS.escape(channelId)}"]`);
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) line?.focus({ preventScroll: true });
      });
    };
  }, [channelId]);
  return (
    <TextsContext.Provider value={texts}>
      <NoticeContext.Provider value={setNotice}>
        <div ref={page} className="chat" lang={texts.language} data-open={place !== undefined}>
          <Inbox place={place} onOpen={onOpen} initial={initial} serviceWorker={serviceWorker} />
          {place ? (
            <Conversation key={place.channelId} {...place} onLeave={leave} initial={initial} />
          ) : (
            <section className="chat-nothing">
              <Nothing title={texts.choose} hint={texts.chooseHint} />
            </section>
          )}
          <Notes notice={notice} />
        </div>
      </NoticeContext.Provider>
    </TextsContext.Provider>
  );
}
