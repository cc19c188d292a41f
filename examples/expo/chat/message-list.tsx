import { type ConversationView, type UserChannel, useMe } from "@madang/react";
import { useEffect, useMemo, useRef, useState } from "react";
import { ActivityIndicator, FlatList, View } from "react-native";
import type { MessageActions } from "./conversation";
import { formatDay, partnerOf } from "./format";
import { findReceipts, groupByDay, type Unread, useFirstUnread } from "./group-messages";
import { useFlash, useStable, type Viewable } from "./list-behaviour";
import { MessageRow } from "./message-row";
import { Bar, Nothing } from "./status";
import { useTexts } from "./texts";
import { Label, useColors } from "./theme";
import { ToNewest } from "./to-newest";

interface MessageListProps {
  readonly conversation: ConversationView;
  readonly channel: UserChannel | undefined;
  readonly unread: Unread;
  readonly actions: MessageActions;
}

/** How near to an end the next messages are loaded. */
const reach = 1_200;

/**
 * The messages, newest first in a list that is upside down: so it is at its end when it opens, and stays there when the keyboard comes or
 * older messages are added.
 */
export function MessageList({ conversation, channel, unread, actions }: MessageListProps) {
  const texts = useTexts();
  const myId = useMe()?.user_id;
  const { messages, members, hasOlder, hasNewer, state, error, opening } = conversation;
  const { loadOlder, loadNewer, markRead, open, reload } = conversation;
  const list = useRef<FlatList>(null);
  const [isAway, setAway] = useState(false);
  const firstUnread = useFirstUnread(messages, unread);
  // Of a channel that was never read, the service does not know where to open it.
  const position = conversation.position ?? (opening <= 1 ? firstUnread : undefined);
  const rows = useMemo(
    () =>
      groupByDay(messages, firstUnread, texts)
        .flatMap(({ time, rows: ofDay }) =>
          ofDay.map((row, index) => ({ ...row, day: index === 0 ? formatDay(texts, time) : undefined })),
        )
        .reverse(),
    [messages, firstUnread, texts],
  );
  const { readIndex, lastOwn, readers } = findReceipts(conversation);
  const isGroup = channel === undefined || partnerOf(channel, myId) === undefined;

  const scrollTo = (index: number, animated: boolean) =>
    list.current?.scrollToIndex({ index, viewPosition: 0.5, animated });
  const [flashed, flash] = useFlash();
  const jump = useStable((id: string) => {
    const index = rows.findIndex(({ shown }) => shown.message.message_id === id);
    flash(id);
    if (index >= 0) scrollTo(index, true);
    else void open(id);
  });

  // Each opening is a list of its own, which begins with all that is newer than its position.
  const start = position === undefined ? -1 : rows.findIndex(({ shown }) => shown.key === position);
  const isEmpty = rows.length === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it is opened
  useEffect(() => {
    if (start > 0) scrollTo(start, false);
  }, [opening, isEmpty]);
  const newest = messages.at(-1);
  const isSending = newest?.status === "sending";
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each message that is sent
  useEffect(() => {
    if (!isSending) return;
    if (hasNewer) void open();
    else list.current?.scrollToOffset({ offset: 0, animated: true });
  }, [isSending, newest?.key]);

  const onSeen = useStable(({ viewableItems: [first] }: Viewable) => first && markRead(first.item.shown.key));

  if (isEmpty && state === "loading") return <ActivityIndicator style={{ flex: 1 }} />;
  if (isEmpty) return <Nothing title={texts.beginning} hint={texts.sayHello} />;
  return (
    <View style={{ flex: 1 }}>
      <FlatList
        key={opening}
        ref={list}
        inverted
        data={rows}
        aria-label={texts.messages}
        role="list"
        keyExtractor={({ shown }) => shown.key}
        initialNumToRender={Math.max(20, start + 15)}
        maintainVisibleContentPosition={{ minIndexForVisible: 0, autoscrollToTopThreshold: 40 }}
        keyboardDismissMode="interactive"
        keyboardShouldPersistTaps="handled"
        contentContainerStyle={{ padding: 12, flexGrow: 1, justifyContent: "flex-end" }}
        scrollEventThrottle={64}
        onScroll={({ nativeEvent: { contentOffset, contentSize, layoutMeasurement } }) => {
          setAway(contentOffset.y > 240);
          if (error !== undefined) return;
          if (hasNewer && contentOffset.y < reach) void loadNewer();
          const rest = contentSize.height - layoutMeasurement.height - contentOffset.y;
          if (hasOlder && rest < reach) void loadOlder();
        }}
        // What does not fill the screen does not scroll.
        onContentSizeChange={(_, height) =>
          error === undefined && hasNewer && height < 2 * reach && void loadNewer()
        }
        onEndReachedThreshold={1}
        onEndReached={() => error === undefined && hasOlder && void loadOlder()}
        onScrollToIndexFailed={({ index }) => setTimeout(() => scrollTo(index, false), 50)}
        onViewableItemsChanged={onSeen}
        viewabilityConfig={{ itemVisiblePercentThreshold: 1, minimumViewTime: 0 }}
        {...(hasNewer && { ListHeaderComponent: <ActivityIndicator /> })}
        ListFooterComponent={hasOlder ? <ActivityIndicator /> : <Beginning />}
        renderItem={({ item: { shown, index, isFirst, isLast, day } }) => (
          <MessageRow
            shown={shown}
            isFirst={isFirst}
            isLast={isLast}
            isGroup={isGroup}
            isRead={index <= readIndex}
            isFlashed={shown.message.message_id === flashed}
            day={day}
            unreadLine={shown.key === firstUnread ? texts.newMessages : undefined}
            readers={shown === lastOwn && isGroup ? readers : ""}
            members={members}
            actions={actions}
            onJump={jump}
          />
        )}
      />
      {error !== undefined && <Bar text={texts.notLoaded} retry={reload} />}
      {(isAway || hasNewer) && (
        <ToNewest
          unread={channel?.unread_count ?? 0}
          onPress={() =>
            hasNewer ? void open() : list.current?.scrollToOffset({ offset: 0, animated: true })
          }
        />
      )}
    </View>
  );
}

const Beginning = () => (
  <Label size={13} color={useColors().quiet} style={{ textAlign: "center", padding: 16 }}>
    {useTexts().beginning}
  </Label>
);
