import type pg from "pg";
import { quantile } from "../../results/statistics";
import type { Target } from "../../servers/target";

const requests = 300;

/** Adds channels with different names: "Team 000001", "Team 000002" and so on. */
export async function seedTeams(database: pg.Client, count: number): Promise<void> {
  await database.query(
    `INSERT INTO channels (channel_id, name, created_at, updated_at, member_count, total_message_count, latest_at)
      SELECT 'team_' || i, 'Team ' || lpad(i::text, 7, '0'), 1.7e12 + i, 1.7e12 + i, 0, 0, 0 FROM generate_series(1, $1::int) AS i`,
    [count],
  );
  await database.query("VACUUM ANALYZE channels");
}

/** Lists of channels by their ids and by the beginning of their names. */
export async function measureLists(target: Target, count: number): Promise<string[][]> {
  const numberAt = (n: number) => 1 + ((n * 7_919) % count);
  const nameAt = (n: number) => `Team ${String(numberAt(n)).padStart(7, "0")}`;
  const queries: Record<string, (n: number) => Record<string, string>> = {
    "50 ids": (n) => ({
      channel_ids: Array.from({ length: 50 }, (_, k) => `team_${numberAt(50 * n + k)}`).join(),
    }),
    "50 ids that no channel has": (n) => ({
      channel_ids: Array.from({ length: 50 }, (_, k) => `none_${50 * n + k}`).join(),
    }),
    "a beginning that all names have": () => ({ name_prefix: "Team" }),
    "one that ten names have": (n) => ({ name_prefix: nameAt(n).slice(0, -1) }),
    "one that no name has": (n) => ({ name_prefix: `${nameAt(n)}x` }),
  };
  const rows: string[][] = [];
  for (const [title, queryOf] of Object.entries(queries)) {
    const times: number[] = [];
    for (let n = -50; n < requests; n++) {
      const startedAt = performance.now();
      const response = await fetch(
        `${target.server.url}/v1/group/channels?${new URLSearchParams(queryOf(Math.abs(n)))}`,
        { headers: target.headers },
      );
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${title}: ${response.status}`);
      // In the first ones, Node compiles hot code.
      if (n >= 0) times.push(performance.now() - startedAt);
    }
    rows.push([title, quantile(times, 0.5).toFixed(1), quantile(times, 0.95).toFixed(1)]);
  }
  return [[`of ${count.toLocaleString("en-US")} channels`, "p50, ms", "p95, ms"], ...rows];
}
