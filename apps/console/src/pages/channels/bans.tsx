import type { Ban, User } from "@madang/client";
import { Link } from "wouter";
import { chat } from "../../api/chat";
import { usePagedList } from "../../api/paged-list";
import { queryClient } from "../../api/query-client";
import { usePermission } from "../../session/current-session";
import { useTexts } from "../../text/language";
import { Button } from "../../ui/button";
import { type Column, DataTable } from "../../ui/data-table";
import { Confirm } from "../../ui/dialogs/confirm";
import { showError } from "../../ui/notice";
import { Avatar } from "../../ui/texts/avatar";
import { DurationField, untilOf } from "../../ui/texts/restriction";
import { Time } from "../../ui/texts/time";
import { Name } from "../../ui/texts/user-text";

/** Who is banned from a channel. Nothing is shown when nobody is, or when the key may not know. */
export function Bans({ channelId }: { channelId: string }) {
  const t = useTexts();
  const can = usePermission();
  const list = usePagedList(
    ["channels", "bans", channelId],
    (cursor) => chat.channels.bans.list(channelId, { cursor }),
    { isEnabled: can("channels.bans.list") },
  );
  if (!list.rows?.length && !list.error) return null;
  const lift = (userId: string) =>
    chat.channels.bans
      .remove(channelId, userId)
      .then(() => queryClient.invalidateQueries({ queryKey: ["channels"] }), showError);
  const columns: Column<Ban>[] = [
    {
      header: t.banned,
      cell: ({ user }) => (
        <Link href={`/users/${user.user_id}`} className="row-link">
          <Avatar id={user.user_id} name={user.name} />
          <Name name={user.name} id={user.user_id} />
        </Link>
      ),
    },
    {
      header: t.reason,
      cell: ({ reason }) => <span className="clip user-text">{reason}</span>,
      className: "wide",
    },
    {
      header: t.until,
      cell: ({ until }) => (until === undefined ? t.withoutEnd : <Time ms={until} />),
      className: "column-time wide",
    },
    {
      header: t.actions,
      cell: ({ user }) => (
        <Button operation="channels.bans.remove" onClick={() => lift(user.user_id)}>
          {t.unban}
        </Button>
      ),
      className: "column-action",
    },
  ];
  return (
    <section className="bans" aria-label={t.banned}>
      <DataTable
        label={t.banned}
        columns={columns}
        list={list}
        rowKey={({ user }) => user.user_id}
        empty={null}
      />
    </section>
  );
}

interface BanDialogProps {
  readonly channelId: string;
  readonly user: Pick<User, "user_id" | "name">;
  readonly onClose: () => void;
}

export function BanDialog({ channelId, user, onClose }: BanDialogProps) {
  const t = useTexts();
  return (
    <Confirm
      title={t.banTitle(user.name)}
      description={t.banText}
      action={t.ban}
      done={t.banDone}
      hasReason
      onClose={onClose}
      onConfirm={async (reason, form) => {
        const until = untilOf(form);
        const ban = { reason, ...(until !== undefined && { until }) };
        await chat.channels.bans.add(channelId, user.user_id, ban, { reason });
        await queryClient.invalidateQueries({ queryKey: ["channels"] });
      }}
    >
      <DurationField />
    </Confirm>
  );
}
