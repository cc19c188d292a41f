import { connect } from "../server/chat";
import { readSession } from "../server/session";
import { Inbox } from "./inbox";

export default async function Page() {
  const userId = await readSession();
  if (userId === undefined) return null;
  const { items, nextCursor } = await connect().users.channels(userId, { pageSize: 30 }).firstPage();
  return <Inbox initial={{ items, nextCursor }} />;
}
