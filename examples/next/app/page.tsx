import { connect } from "../server/chat";
import { readSession } from "../server/session";
import { Inbox } from "./inbox";

export default async function Page() {
  const userId = await readSession();
  if (userId === undefined) return null;
  const { items } = await connect().users.channels(userId).firstPage();
  return <Inbox initial={items} />;
}
