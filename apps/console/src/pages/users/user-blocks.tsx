import type { Block } from "@madang/client";
import { useState } from "react";
import { Link } from "wouter";
import { chat } from "../../api/chat";
import { usePagedList } from "../../api/paged-list";
import { queryClient } from "../../api/query-client";
import { usePermission } from "../../session/current-session";
import { useTexts } from "../../text/language";
import { Button } from "../../ui/button";
import { type Column, DataTable } from "../../ui/data-table";
import { Confirm } from "../../ui/dialogs/confirm";
import { Empty, NotPermitted } from "../../ui/state";
import { Avatar } from "../../ui/texts/avatar";
import { Time } from "../../ui/texts/time";
import { Name } from "../../ui/texts/user-text";

/** Whom a person has blocked, newest first. */
export function UserBlocks({ userId }: { userId: string }) {
  const t = useTexts();
  const can = usePermission();
  const [ending, setEnding] = useState<Block["user"]>();
  const queryKey = ["users", "blocks", userId];
  const list = usePagedList(queryKey, (cursor) => chat.users.blocks.list(userId, { cursor }), {
    isEnabled: can("users.blocks.list"),
  });
  if (!can("users.blocks.list")) return <NotPermitted operation="users.blocks.list" />;
  const columns: Column<Block>[] = [
    {
      header: t.blocked,
      cell: ({ user }) => (
        <Link href={`/users/${user.user_id}`} className="row-link">
          <Avatar id={user.user_id} name={user.name} />
          <Name name={user.name} id={user.user_id} />
        </Link>
      ),
    },
    {
      header: t.since,
      cell: ({ created_at: at }) => <Time ms={at} />,
      className: "column-time wide",
    },
    {
      header: t.actions,
      cell: ({ user }) => (
        <Button operation="users.blocks.remove" onClick={() => setEnding(user)}>
          {t.endBlock}
        </Button>
      ),
      className: "column-action",
    },
  ];
  return (
    <>
      <DataTable
        label={t.blocked}
        columns={columns}
        list={list}
        rowKey={({ user }) => user.user_id}
        empty={<Empty title={t.noBlocks} />}
      />
      {ending !== undefined && (
        <Confirm
          title={t.endBlockTitle(ending.name)}
          description={t.endBlockText}
          action={t.endBlock}
          done={t.endBlockDone}
          hasReason
          isDanger={false}
          onClose={() => setEnding(undefined)}
          onConfirm={async (reason) => {
            await chat.users.blocks.remove(userId, ending.user_id, { reason });
            await queryClient.invalidateQueries({ queryKey });
          }}
        />
      )}
    </>
  );
}
