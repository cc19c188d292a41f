import { type InboxFilter, useInbox, useMe, usePresence } from "@madang/react";
import { type ReactNode, useState } from "react";
import { ActivityIndicator, FlatList, Pressable, TextInput, View } from "react-native";
import { useSafeAreaInsets } from "react-native-safe-area-context";
import { Avatar, faceOf } from "./avatar";
import type { Place } from "./conversation";
import { partnerOf } from "./format";
import { Icon } from "./icons";
import { InboxLine } from "./inbox-line";
import { SearchResults } from "./search-results";
import { ConnectionBar, Nothing } from "./status";
import { useTexts } from "./texts";
import { Label, touch, useColors } from "./theme";

interface InboxProps {
  readonly openId: string | undefined;
  readonly onOpen: (place: Place) => void;
  readonly action: ReactNode;
}

const filters = ["all", "unread", "archived", "hidden"] as const;

/** The conversations of the person, and a search in all of them. */
export function Inbox({ openId, onOpen, action }: InboxProps) {
  const texts = useTexts();
  const colors = useColors();
  const me = useMe();
  const insets = useSafeAreaInsets();
  const [text, setText] = useState("");
  const [filter, setFilter] = useState<InboxFilter>("all");
  return (
    <View style={{ flex: 1, paddingTop: insets.top, paddingStart: insets.left }}>
      <View
        style={{
          flexDirection: "row",
          alignItems: "center",
          gap: 12,
          minHeight: 60,
          paddingStart: 16,
          paddingEnd: 8,
        }}
      >
        {me && <Avatar {...faceOf(me)} size={36} />}
        <Label role="heading" size={22} isBold numberOfLines={1} style={{ flex: 1 }}>
          {texts.chats}
        </Label>
        {action}
      </View>
      <View
        style={{
          flexDirection: "row",
          alignItems: "center",
          gap: 8,
          marginHorizontal: 16,
          paddingHorizontal: 12,
          minHeight: touch,
          borderRadius: 14,
          backgroundColor: colors.stage,
        }}
      >
        <Icon name="search" size={18} color={colors.quiet} />
        <TextInput
          aria-label={texts.search}
          placeholder={texts.search}
          placeholderTextColor={colors.quiet}
          value={text}
          onChangeText={setText}
          clearButtonMode="while-editing"
          returnKeyType="search"
          style={{ flex: 1, minHeight: touch, fontSize: 16, color: colors.text, outlineWidth: 0 }}
        />
      </View>
      {text.trim() === "" && (
        <View
          role="tablist"
          style={{ flexDirection: "row", gap: 4, paddingHorizontal: 12, paddingVertical: 6 }}
        >
          {filters.map((each) => (
            <Pressable
              key={each}
              role="tab"
              aria-selected={each === filter}
              onPress={() => setFilter(each)}
              style={{ minHeight: touch, minWidth: touch, paddingHorizontal: 4, justifyContent: "center" }}
            >
              <Label
                size={15}
                isBold={each === filter}
                color={each === filter ? colors.accentText : colors.quiet}
                style={[
                  { paddingHorizontal: 12, paddingVertical: 6, borderRadius: 16, overflow: "hidden" },
                  each === filter && { backgroundColor: colors.accentSoft },
                ]}
              >
                {texts[each]}
              </Label>
            </Pressable>
          ))}
        </View>
      )}
      <ConnectionBar />
      {text.trim() === "" ? (
        <Lines key={filter} filter={filter} openId={openId} onOpen={onOpen} />
      ) : (
        <SearchResults text={text} onOpen={onOpen} />
      )}
    </View>
  );
}

interface LinesProps extends Pick<InboxProps, "openId" | "onOpen"> {
  readonly filter: InboxFilter;
}

function Lines({ filter, openId, onOpen }: LinesProps) {
  const texts = useTexts();
  const { bottom } = useSafeAreaInsets();
  const myId = useMe()?.user_id;
  const { channels, hasMore, loadMore, state } = useInbox({ members: true, filter });
  // At most 100 on a screen.
  const partners = channels.flatMap((channel) => partnerOf(channel, myId)?.user_id ?? []).slice(0, 60);
  const { isOnline } = usePresence(partners);
  if (channels.length === 0) {
    if (state === "failed") return <Nothing title={texts.chatsFailed} retry={() => void loadMore()} />;
    if (state === "loading") return <ActivityIndicator style={{ flex: 1 }} />;
    if (filter === "unread") return <Nothing title={texts.noUnread} />;
    if (filter === "archived") return <Nothing title={texts.noArchived} />;
    if (filter === "hidden") return <Nothing title={texts.noHidden} hint={texts.noHiddenHint} />;
    return <Nothing title={texts.noChats} hint={texts.noChatsHint} />;
  }
  return (
    <FlatList
      data={channels}
      keyExtractor={({ channel_id }) => channel_id}
      keyboardShouldPersistTaps="handled"
      keyboardDismissMode="on-drag"
      contentContainerStyle={{ paddingBottom: bottom }}
      onEndReached={() => hasMore && void loadMore()}
      renderItem={({ item }) => (
        <InboxLine
          channel={item}
          isOpen={item.channel_id === openId}
          isOnline={isOnline(partnerOf(item, myId)?.user_id ?? "")}
          onOpen={onOpen}
        />
      )}
    />
  );
}
