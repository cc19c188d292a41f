import { useState } from "react";
import { Link } from "wouter";
import { chat } from "../../api/chat";
import { listOf } from "../../api/paged-list";
import { useTexts } from "../../text/language";
import { IconButton } from "../../ui/button";
import { type Column, DataTable } from "../../ui/data-table";
import { Confirm } from "../../ui/dialogs/confirm";
import { Menu, type MenuEntry } from "../../ui/menu";
import { showError } from "../../ui/notice";
import { Empty } from "../../ui/state";
import { Avatar } from "../../ui/texts/avatar";
import { Badge } from "../../ui/texts/badge";
import { IdText } from "../../ui/texts/id-text";
import { isInForce, RestrictionBadge } from "../../ui/texts/restriction";
import { Time } from "../../ui/texts/time";
import { Name } from "../../ui/texts/user-text";
import { BanDialog, Bans } from "./bans";
import { type Member, refreshMembers, unmute, useMembers } from "./members";
import { MuteDialog } from "./mute-dialog";

/** Participants, managers and bans of a channel, with what moderators do to them. */
export function ChannelMembers({ channelId }: { channelId: string }) {
  const t = useTexts();
  const [action, setAction] = useState<MemberAction>();
  const members = useMembers(channelId);
  const columns: Column<Member>[] = [
    {
      header: t.name,
      cell: (member) => (
        <Link href={`/users/${member.user_id}`} className="row-link">
          <Avatar id={member.user_id} name={member.name} />
          <Name name={member.name} id={member.user_id} />
          {member.isManager && <Badge>{t.manager}</Badge>}
          <RestrictionBadge label={t.muted} until={member.muted_until} />
          <RestrictionBadge label={t.suspended} until={member.suspended_until} />
        </Link>
      ),
    },
    {
      header: t.id,
      cell: ({ user_id }) => (
        <span className="clip">
          <IdText id={user_id} />
        </span>
      ),
      className: "column-id wide",
    },
    { header: t.joined, cell: ({ joined_at }) => <Time ms={joined_at} />, className: "column-time wide" },
    {
      header: t.actions,
      cell: (member) => <MemberMenu channelId={channelId} member={member} onAction={setAction} />,
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
      {action && <MemberDialog channelId={channelId} {...action} onClose={() => setAction(undefined)} />}
    </>
  );
}

interface MemberAction {
  readonly name: "mute" | "remove" | "ban";
  readonly member: Member;
}

interface MemberMenuProps {
  readonly channelId: string;
  readonly member: Member;
  readonly onAction: (action: MemberAction) => void;
}

function MemberMenu({ channelId, member, onAction }: MemberMenuProps) {
  const t = useTexts();
  const { user_id: userId } = member;
  const run = (work: Promise<unknown>) => work.then(() => refreshMembers(channelId)).catch(showError);
  const open = (name: MemberAction["name"]) => () => onAction({ name, member });
  const { managers } = chat.channels;
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
      isInForce(member.muted_until)
        ? {
            label: t.unmute,
            operation: "channels.members.unmute",
            onSelect: () => run(unmute(channelId, userId)),
          }
        : { label: t.mute, operation: "channels.members.mute", onSelect: open("mute") },
      {
        label: t.removeMember,
        operation: "channels.members.leave",
        isDanger: true,
        onSelect: open("remove"),
      },
    );
  entries.push({ label: t.ban, operation: "channels.bans.add", isDanger: true, onSelect: open("ban") });
  return <Menu trigger={<IconButton label={t.actionsFor(member.name)} icon="more" />} entries={entries} />;
}

function MemberDialog({
  channelId,
  name,
  member,
  onClose,
}: MemberAction & { channelId: string; onClose: () => void }) {
  const t = useTexts();
  switch (name) {
    case "mute":
      return <MuteDialog channelId={channelId} user={member} onClose={onClose} />;
    case "ban":
      return <BanDialog channelId={channelId} user={member} onClose={onClose} />;
    case "remove":
      return (
        <Confirm
          title={t.removeMemberTitle(member.name)}
          description={t.removeMemberText}
          action={t.removeMember}
          onClose={onClose}
          onConfirm={async () => {
            await chat.channels.members.leave(channelId, member.user_id);
            await refreshMembers(channelId);
          }}
        />
      );
  }
}
