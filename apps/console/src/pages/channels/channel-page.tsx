import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { Link, useParams } from "wouter";
import { chat } from "../../api/chat";
import { isGone } from "../../api/query-client";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { load } from "../../ui/load";
import { Page, UnloadedPage } from "../../ui/page";
import { Loading } from "../../ui/state";
import { Tabs } from "../../ui/tabs";
import { Badge } from "../../ui/texts/badge";
import { Name } from "../../ui/texts/user-text";
import { Conversation } from "../conversation/conversation";

const ChannelMembers = load(async () => (await import("./channel-members")).ChannelMembers);
const ChannelSettings = load(async () => (await import("./channel-settings")).ChannelSettings);

export function ChannelPage() {
  const t = useTexts();
  const { duration } = useFormat();
  const { channelId = "", tab } = useParams<{ channelId: string; tab?: string }>();
  const channel = useQuery({
    queryKey: ["channels", "one", channelId],
    queryFn: () => chat.channels.get(channelId),
  });
  if (channel.data === undefined || isGone(channel.error))
    return <UnloadedPage title={channelId} operation="channels.get" query={channel} />;
  const { name, freeze, retention, slow_mode_seconds: slowModeSeconds } = channel.data;
  const heading = (
    <>
      <Link href="/channels" className="crumb">
        {t.channels}
      </Link>
      <Name name={name} id={channelId} />
      {freeze && <Badge look="warning">{t.frozen}</Badge>}
      {slowModeSeconds !== undefined && <Badge>{t.slowModeBadge(duration(slowModeSeconds))}</Badge>}
      {retention?.hold && <Badge>{t.onHold}</Badge>}
    </>
  );
  return (
    <Page title={name} heading={heading} operation="channels.get">
      <Tabs
        label={t.channel}
        tabs={[
          { path: `/channels/${channelId}`, label: t.conversation, isCurrent: tab === undefined },
          { path: `/channels/${channelId}/members`, label: t.members, isCurrent: tab === "members" },
          { path: `/channels/${channelId}/settings`, label: t.settings, isCurrent: tab === "settings" },
        ]}
      />
      {tab === undefined && <Conversation key={channelId} channel={channel.data} />}
      <Suspense fallback={<Loading />}>
        {tab === "members" && <ChannelMembers channelId={channelId} />}
        {tab === "settings" && <ChannelSettings channel={channel.data} />}
      </Suspense>
    </Page>
  );
}
