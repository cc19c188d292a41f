import type { Channel, Message } from "@madang/client";
import type { StoredMessage } from "@madang/react/store";
import { Suspense, useCallback, useState } from "react";
import { useSearchParams } from "wouter";
import { basePath } from "../../api/base-path";
import { chat } from "../../api/chat";
import { usePermission } from "../../session/current-session";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { DayField, rangeOf } from "../../ui/fields/day-field";
import { SearchField } from "../../ui/fields/search-field";
import { useSearchParameter } from "../../ui/fields/search-parameter";
import { load } from "../../ui/load";
import { showError, showNotice } from "../../ui/notice";
import { Empty, Failure, FailureBanner, Loading, NotPermitted } from "../../ui/state";
import { copyText } from "../../ui/texts/copy";
import { unmute } from "../channels/members";
import { Composer } from "./composer";
import { ConversationSearch } from "./conversation-search";
import type { MessageActionProps } from "./message-action";
import { MessageList } from "./message-list";
import type { MessageActionName } from "./message-menu";
import { useChannelHistory } from "./use-channel-history";

const MessageMenu = load(async () => (await import("./message-menu")).MessageMenu);
const ReportBar = load(async () => (await import("../reports/report-bar")).ReportBar);
const MessageAction = load(async () => (await import("./message-action")).MessageAction);

/** The history of a channel as its members saw it, live. The address names a message, a day or neither. */
export function Conversation({ channel }: { channel: Channel }) {
  const can = usePermission();
  if (!can("messages.list")) return <NotPermitted operation="messages.list" />;
  return <OpenConversation channel={channel} />;
}

function OpenConversation({ channel }: { channel: Channel }) {
  const t = useTexts();
  const can = usePermission();
  const formats = useFormat();
  const { channel_id: channelId } = channel;
  const [parameters, setParameters] = useSearchParams();
  const [query, setQuery] = useSearchParameter("q");
  const chosenDay = parameters.get("day") ?? "";
  const range = rangeOf(chosenDay);
  const day = range === undefined ? "" : chosenDay;
  const message = parameters.get("message") ?? undefined;
  const report = parameters.get("report") ?? undefined;
  const isByDay = message === undefined && range !== undefined;
  const { history, state, followError, follow } = useChannelHistory(channelId, message ?? range?.since);
  const first = state.messages?.find((shown) => shown.message.message_id === state.position)?.message;
  const loadError = state.loadErrors.newer ?? state.loadErrors.older;
  const [menu, setMenu] = useState<{ shown: StoredMessage; button: HTMLElement }>();
  const [action, setAction] = useState<Pick<MessageActionProps, "name" | "shown">>();
  const openMenu = useCallback((shown: StoredMessage, button: HTMLElement) => setMenu({ shown, button }), []);

  /** Another place of the conversation. The bar of a report stays. */
  function show(place: Readonly<Record<string, string>>) {
    setParameters({ ...place, ...(report !== undefined && { report }) });
  }

  function showLatest() {
    if (message === undefined && !isByDay) void history.open();
    else show({});
  }

  function act(name: MessageActionName, shown: StoredMessage) {
    const { message_id: messageId, pinned_at: pinnedAt } = shown.message;
    if (name === "link")
      void copyText(`${location.origin}${basePath}/console/channels/${channelId}?message=${messageId}`).then(
        () => showNotice(t.copied),
      );
    else if (name === "pin")
      run(
        pinnedAt === undefined
          ? chat.messages.pin(channelId, messageId)
          : chat.messages.unpin(channelId, messageId),
      );
    else if (name === "unmute") {
      if (shown.message.type === "system") return;
      run(unmute(channelId, shown.message.user.user_id).then(() => showNotice(t.unmuteDone)));
    } else setAction({ name, shown });
  }

  function showMessages() {
    if (state.messages === undefined) {
      if (state.error === undefined) return <Loading />;
      return <Failure error={state.error} onRetry={() => history.retry()} />;
    }
    if (state.messages.length === 0) return <Empty title={t.noMessages} />;
    return (
      <MessageList
        channelId={channelId}
        history={history}
        state={state}
        target={isByDay ? state.position : message}
        onMenu={openMenu}
        onLatest={showLatest}
      />
    );
  }

  return (
    <div className="conversation">
      {report !== undefined && (
        <Suspense>
          <ReportBar reportId={report} />
        </Suspense>
      )}
      <div className="toolbar">
        <SearchField label={t.searchChannel} value={query} onChange={setQuery} />
        <DayField
          label={t.jumpToDay}
          value={day}
          onChange={(value) => show(value === "" ? {} : { day: value })}
        />
      </div>
      <div className="conversation-columns">
        <div className="conversation-main">
          {followError !== undefined && (
            <FailureBanner text={t.notLive} error={followError} onRetry={follow} />
          )}
          {loadError !== undefined && (
            <FailureBanner text={t.notAll} error={loadError} onRetry={() => history.retry()} />
          )}
          {message !== undefined && state.opening > 0 && state.position !== message && (
            <p className="banner" role="status">
              {t.messageGone}
            </p>
          )}
          {isByDay && state.opening > 0 && !isWithin(first, range) && (
            <p className="banner" role="status">
              {t.noMessagesOn(formats.day(range.since))}
            </p>
          )}
          {showMessages()}
          <Composer channel={channel} onSent={() => state.hasNewer && showLatest()} />
        </div>
        {query.trim() !== "" &&
          (can("messages.search") ? (
            <ConversationSearch channelId={channelId} query={query.trim()} />
          ) : (
            <NotPermitted operation="messages.search" />
          ))}
      </div>
      <Suspense>
        {menu && (
          <MessageMenu
            {...menu}
            onAction={(name) => act(name, menu.shown)}
            onClose={() => setMenu(undefined)}
          />
        )}
        {action && <MessageAction {...action} onClose={() => setAction(undefined)} />}
      </Suspense>
    </div>
  );
}

/** A day without messages opens at the next ones, or at the last ones. */
const isWithin = (message: Message | undefined, { since, until }: { since: number; until: number }) =>
  message !== undefined && message.created_at >= since && message.created_at < until;

function run(work: Promise<unknown>): void {
  work.catch(showError);
}
