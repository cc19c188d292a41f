import type { UserChannel } from "@madang/react";
import { type CSSProperties, useState } from "react";
import { hueOf, initialsOf, partnerOf } from "./format";

interface Face {
  readonly id: string;
  readonly name: string;
  readonly url?: string | undefined;
}

interface AvatarProps extends Face {
  readonly size?: number;
  readonly isOnline?: boolean | undefined;
}

/** An image, or initials on a colour that belongs to the id. Its name is said beside it. */
export function Avatar({ id, name, url, size = 48, isOnline }: AvatarProps) {
  const [failed, setFailed] = useState("");
  const style = { "--size": `${size}px`, "--hue": hueOf(id) } as CSSProperties;
  return (
    <span className="chat-avatar" style={style} aria-hidden="true">
      {url && url !== failed ? (
        <img src={url} alt="" loading="lazy" onError={() => setFailed(url)} />
      ) : (
        <span className="chat-initials">{initialsOf(name)}</span>
      )}
      {isOnline && <span className="chat-online" />}
    </span>
  );
}

interface ChannelAvatarProps {
  readonly channel: UserChannel;
  readonly myId: string | undefined;
  readonly size?: number;
  readonly isOnline?: boolean | undefined;
}

/** The image of a channel, the other person of a one-to-one channel, or two people of a group. */
export function ChannelAvatar({ channel, myId, size = 48, isOnline }: ChannelAvatarProps) {
  const partner = partnerOf(channel, myId);
  if (partner !== undefined) return <Avatar {...faceOf(partner)} size={size} isOnline={isOnline} />;
  const [one, other] = (channel.members ?? []).filter(({ user_id }) => user_id !== myId);
  if (channel.profile_url !== undefined || one === undefined || other === undefined)
    return <Avatar id={channel.channel_id} name={channel.name} url={channel.profile_url} size={size} />;
  return (
    <span className="chat-avatars" style={{ "--size": `${size}px` } as CSSProperties}>
      <Avatar {...faceOf(other)} size={size * 0.64} />
      <Avatar {...faceOf(one)} size={size * 0.64} />
    </span>
  );
}

export const faceOf = (user: {
  readonly user_id: string;
  readonly name: string;
  readonly profile_url?: string;
}): Face => ({ id: user.user_id, name: user.name, url: user.profile_url });
