import type { Request } from "@madang/contract-tests";

/** As it stands in an address; several values are given several times. */
export function formatQuery(query: Request["query"] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}=${encodeURIComponent(value)}`),
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}
