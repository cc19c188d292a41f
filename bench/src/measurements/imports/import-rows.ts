import type pg from "pg";
import { pick } from "../../operations/operation";
import { historyStart, membersOfHistory, userIdAt } from "../../servers/dataset";

/** The largest request of the contract. */
export const messagesPerRequest = 500;

/** The n-th message of a round: every fifth in Hangul, every twentieth a file, as in the history. */
export function createMessage(round: number, n: number) {
  const file = {
    type: "image/png",
    name: `menu-${n}.png`,
    url: `https://example.com/files/menu-${n}.png`,
    size: 40_000 + n,
  };
  const content =
    n % 5 === 1
      ? `내일 점심은 열두 시에 먹어요, 자리는 제가 잡아 둘게요. ${n}`
      : `See you at noon, I will keep a seat for you near the window; bring the papers. ${n}`;
  return {
    external_id: `${round}-${n}`,
    user_id: userIdAt(pick(n, membersOfHistory)),
    ...(n % 20 === 0 ? { type: "file", file } : { type: "text", content }),
    ...(n % 3 === 0 && { meta: { lang: "ko" } }),
    created_at: historyStart + n,
  };
}

export interface ImportRequest {
  readonly channelId: string;
  readonly messages: readonly ReturnType<typeof createMessage>[];
}

/** The requests of a round, to the channels in turn. */
export function createRequests(round: number, count: number, channelIds: readonly string[]): ImportRequest[] {
  return Array.from({ length: count / messagesPerRequest }, (_, request) => ({
    channelId: channelIds[request % channelIds.length] ?? "",
    messages: Array.from({ length: messagesPerRequest }, (__, index) =>
      createMessage(round, request * messagesPerRequest + index),
    ),
  }));
}

/** The same rows in the text format of COPY. */
export async function formatForCopy(
  database: pg.Client,
  requests: readonly ImportRequest[],
): Promise<string> {
  const keys = async (table: string, id: string) => {
    const { rows } = await database.query(`SELECT ${id} AS id, pk FROM ${table} WHERE deleted_at IS NULL`);
    return new Map<string, string>(rows.map((row) => [row.id, row.pk]));
  };
  const channels = await keys("channels", "channel_id");
  const users = await keys("users", "user_id");
  const lines = requests.flatMap(({ channelId, messages }) =>
    messages.map(({ external_id, user_id, type, created_at, meta = {}, ...body }) => {
      const content = "content" in body ? body.content : undefined;
      const file = "file" in body ? JSON.stringify(body.file) : undefined;
      const values = [
        channels.get(channelId),
        users.get(user_id),
        created_at,
        created_at,
        type,
        content,
        file,
      ];
      return [...values, JSON.stringify(meta), external_id].map((value) => value ?? "\\N").join("\t");
    }),
  );
  return `${lines.join("\n")}\n`;
}

export const copyColumns =
  "channel_pk, sender_pk, created_at, updated_at, type, content, file, meta, external_id";
