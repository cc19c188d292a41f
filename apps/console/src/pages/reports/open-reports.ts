import { useQuery } from "@tanstack/react-query";
import { chat } from "../../api/chat";
import { usePermission } from "../../session/current-session";
import { useFormat } from "../../text/format";

const max = 99;

/** How many reports are open, such as 3 or 99+. Undefined if there is none, or if the key may not know. */
export function useOpenReports(): string | undefined {
  const can = usePermission();
  const { number } = useFormat();
  const open = useQuery({
    queryKey: ["reports", "count"],
    queryFn: () => chat.reports.list({ status: "open", pageSize: max + 1 }).firstPage(),
    enabled: can("reports.list"),
    // Every read is in the audit log.
    refetchInterval: 300_000,
  });
  const count = open.data?.items.length ?? 0;
  if (count === 0) return undefined;
  return count > max ? `${number(max)}+` : number(count);
}
