"use client";

import { type InitialChannels, useInbox } from "@madang/react";
import Link from "next/link";

/** What the server has read is shown until the kit has its own, which it then keeps up to date. */
export function Inbox({ initial }: { readonly initial: InitialChannels }) {
  const { channels } = useInbox({ initial });
  return (
    <ul aria-label="Channels">
      {channels.map(({ channel_id: id, name, unread_count: unread }) => (
        <li key={id}>
          <Link href={`/${id}`}>
            {name} {unread > 0 && <b>{unread}</b>}
          </Link>
        </li>
      ))}
    </ul>
  );
}
