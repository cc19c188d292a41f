import { chat } from "../../api/chat";

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

/** The message that a jump to a day leads to: the last one before it, otherwise the newest one on it. */
export async function findDay(channelId: string, day: string): Promise<string | undefined> {
  const before = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
  return (await findNewest(channelId, before)) ?? findNewest(channelId, day);
}

/** The newest message up to the end of a day, in the zone of the reader. */
async function findNewest(channelId: string, day: string): Promise<string | undefined> {
  const range = { end_date: day, timezone: timeZone, pageSize: 100 };
  const { items } = await chat.exports.messages(channelId, range).firstPage();
  return items[0]?.message_id;
}
