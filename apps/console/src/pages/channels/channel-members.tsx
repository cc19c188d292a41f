import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { chat } from "../../api/chat";
import { listOf } from "../../api/paged-list";
import { queryClient } from "../../api/query-client";
import { useTexts } from "../../text/language";
import { Avatar } from "../../ui/avatar";
import { Badge } from "../../ui/badge";
import { IconButton } from "../../ui/button";
import { type Column, DataTable } from "../../ui/data-table";
import { Menu, type MenuEntry } from "../../ui/menu";
import { showError } from "../../ui/notice";
import { Empty } from "../../ui/state";
import { Time } from "../../ui/time";
import { Name } from "../../ui/user-text";
import { BanDialog, Bans } from "./bans";
import { fetchMembers, type Member } from "./members";

/** Participants, managers and bans of a channel, with what moderators do to them. */
export function ChannelMembers({ channelId }: { channelId: string }) {
  const t = useTexts();
  const [banned, setBanned] = useState<Member>();
  const members = useQuery({
    queryKey: ["channels", "members", channelId],
    queryFn: () => fetchMembers(channelId),
  });
  const columns: Column<Member>[] = [
    {
      header: t.name,
      cell: (member) => (
        <Link href={`/users/${member.user_id}`} className="row-link">
          <Avatar id={member.user_id} name={member.name} />
          <Name name={member.name} id={member.user_id} />
          {member.isManager && <Badge>{t.manager}</Badge>}
          {member.muted_until !== undefined && <Badge look="warning">{t.muted}</Badge>}
          {member.suspended_until !== undefined && <Badge look="warning">{t.suspended}</Badge>}
        </Link>
      ),
    },
    {
      header: t.id,
      cell: ({ user_id }) => <code className="clip">{user_id}</code>,
      className: "column-id wide",
    },
    { header: t.joined, cell: ({ joined_at }) => <Time ms={joined_at} />, className: "column-time wide" },
    {
      header: t.actions,
      cell: (member) => <MemberMenu channelId={channelId} member={member} onBan={() => setBanned(member)} />,
      className: "column-action",
    },
  ];
  return (
    <>
      <DataTable
        label={t.members}
        columns={columns}
        list={listOf(members)}
        rowKey={({ user_id }) => user_id}
        empty={<Empty title={t.noMembers} />}
      />
      <Bans channelId={channelId} />
      {banned && <BanDialog channelId={channelId} user={banned} onClose={() => setBanned(undefined)} />}
    </>
  );
}

interface MemberMenuProps {
  readonly channelId: string;
  readonly member: Member;
  readonly onBan: () => void;
}

function MemberMenu({ channelId, member, onBan }: MemberMenuProps) {
  const t = useTexts();
  const { user_id: userId } = member;
  const run = (work: Promise<unknown>) =>
    work.then(
      () => queryClient.invalidateQueries({ queryKey: ["channels", "members", channelId] }),
      showError,
    );
  const { members, managers } = chat.channels;
  const entries: MenuEntry[] = [
    member.isManager
      ? {
          label: t.removeManager,
          operation: "channels.managers.remove",
          onSelect: () => run(managers.remove(channelId, userId)),
        }
      : {
          label: t.makeManager,
          operation: "channels.managers.add",
          onSelect: () => run(managers.add(channelId, userId)),
        },
  ];
  if (member.isParticipant)
    entries.push(
      member.muted_until === undefined
        ? {
            label: t.mute,
            operation: "channels.members.mute",
            onSelect: () => run(members.mute(channelId, userId)),
          }
        : {
            label: t.unmute,
            operation: "channels.members.unmute",
            onSelect: () => run(members.unmute(channelId, userId)),
          },
      {
        label: t.removeMember,
        operation: "channels.members.leave",
        isDanger: true,
        onSelect: () => run(members.leave(channelId, userId)),
      },
    );
  entries.push({ label: t.ban, operation: "channels.bans.add", isDanger: true, onSelect: onBan });
  return <Menu trigger={<IconButton label={t.actionsFor(member.name)} icon="more" />} entries={entries} />;
}
