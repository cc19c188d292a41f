import type { UserChannel } from "@madang/react";
import { useState } from "react";
import { Image, View } from "react-native";
import { hueOf, initialsOf, partnerOf } from "./format";
import { faceColor, Label, useColors } from "./theme";

interface Face {
  readonly id: string;
  readonly name: string;
  readonly url?: string | undefined;
}

interface AvatarProps extends Face {
  readonly size?: number;
  readonly isOnline?: boolean | undefined;
  /** Of what stands behind it: a face before another one has a border of it. */
  readonly border?: string;
}

/** An image, or initials on a colour that belongs to the id. Its name is said beside it. */
export function Avatar({ id, name, url, size = 52, isOnline, border }: AvatarProps) {
  const colors = useColors();
  const [failed, setFailed] = useState("");
  const round = { width: size, height: size, borderRadius: size / 2 };
  const dot = Math.max(12, size * 0.27);
  return (
    <View aria-hidden style={[round, border !== undefined && { outlineWidth: 2, outlineColor: border }]}>
      {url && url !== failed ? (
        <Image source={{ uri: url }} style={round} onError={() => setFailed(url)} />
      ) : (
        <View
          style={[
            round,
            { backgroundColor: faceColor(hueOf(id)), alignItems: "center", justifyContent: "center" },
          ]}
        >
          <Label size={size * 0.36} color="#ffffff" isBold maxFontSizeMultiplier={1}>
            {initialsOf(name)}
          </Label>
        </View>
      )}
      {isOnline && (
        <View
          style={{
            position: "absolute",
            end: 0,
            bottom: 0,
            width: dot,
            height: dot,
            borderRadius: dot / 2,
            borderWidth: 2,
            borderColor: colors.background,
            backgroundColor: colors.online,
          }}
        />
      )}
    </View>
  );
}

interface ChannelAvatarProps {
  readonly channel: UserChannel;
  readonly myId: string | undefined;
  readonly size?: number;
  readonly isOnline?: boolean | undefined;
}

/** The image of a channel, the other person of a one-to-one channel, or two people of a group. */
export function ChannelAvatar({ channel, myId, size = 52, isOnline }: ChannelAvatarProps) {
  const colors = useColors();
  const partner = partnerOf(channel, myId);
  if (partner !== undefined) return <Avatar {...faceOf(partner)} size={size} isOnline={isOnline} />;
  const [one, other] = (channel.members ?? []).filter(({ user_id }) => user_id !== myId);
  if (channel.profile_url !== undefined || one === undefined || other === undefined)
    return <Avatar id={channel.channel_id} name={channel.name} url={channel.profile_url} size={size} />;
  return (
    <View style={{ width: size, height: size }}>
      <View style={{ position: "absolute", top: 0, end: 0 }}>
        <Avatar {...faceOf(other)} size={size * 0.64} />
      </View>
      <View style={{ position: "absolute", bottom: 0, start: 0 }}>
        <Avatar {...faceOf(one)} size={size * 0.64} border={colors.background} />
      </View>
    </View>
  );
}

export const faceOf = (user: {
  readonly user_id: string;
  readonly name: string;
  readonly profile_url?: string;
}): Face => ({ id: user.user_id, name: user.name, url: user.profile_url });
