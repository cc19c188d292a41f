import { useInbox, useMe, useSearch } from "@madang/react";
import { ActivityIndicator, FlatList, Pressable, View } from "react-native";
import { Avatar, faceOf } from "./avatar";
import type { Place } from "./conversation";
import { formatShort, senderOf, titleOf } from "./format";
import { usePreview } from "./preview";
import { Nothing } from "./status";
import { useTexts } from "./texts";
import { Label, useColors } from "./theme";

/** The messages that a text was found in, newest first. */
export function SearchResults({ text, onOpen }: { text: string; onOpen: (place: Place) => void }) {
  const texts = useTexts();
  const colors = useColors();
  const preview = usePreview();
  const myId = useMe()?.user_id;
  const { channels } = useInbox({ members: true });
  const { messages, hasMore, loadMore, isSearching, error } = useSearch(text);
  if (error !== undefined) return <Nothing title={texts.failed} />;
  if (messages.length === 0)
    return isSearching ? (
      <ActivityIndicator style={{ flex: 1 }} />
    ) : (
      <Nothing title={texts.nothingFound} hint={texts.nothingFoundHint} />
    );
  return (
    <FlatList
      data={messages}
      aria-label={texts.results}
      keyExtractor={({ message_id }) => message_id}
      keyboardShouldPersistTaps="handled"
      keyboardDismissMode="on-drag"
      onEndReached={() => hasMore && void loadMore()}
      renderItem={({ item }) => {
        const channel = channels.find((one) => one.channel_id === item.channel_id);
        const sender = senderOf(item);
        return (
          <Pressable
            role="button"
            onPress={() => onOpen({ channelId: item.channel_id, around: item.message_id })}
            style={{
              flexDirection: "row",
              alignItems: "center",
              gap: 12,
              paddingHorizontal: 16,
              paddingVertical: 10,
            }}
          >
            <Avatar {...(sender ? faceOf(sender) : { id: item.channel_id, name: channel?.name ?? "?" })} />
            <View style={{ flex: 1, gap: 3 }}>
              <View style={{ flexDirection: "row", gap: 6 }}>
                <Label isBold numberOfLines={1} style={{ flex: 1 }}>
                  {[sender?.name, channel && titleOf(channel, myId)].filter(Boolean).join(" · ")}
                </Label>
                <Label size={13} color={colors.quiet}>
                  {formatShort(texts, item.created_at)}
                </Label>
              </View>
              <Label size={15} color={colors.quiet} numberOfLines={2}>
                {preview(item)}
              </Label>
            </View>
          </Pressable>
        );
      }}
    />
  );
}
