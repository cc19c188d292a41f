import { type OperationId, operations } from "@madang/contract";
import type { Request, Response } from "@madang/contract-tests";

/** Sends a request of an interaction to its operation and parses the response. */
export async function send(url: string, operation: OperationId, request: Request): Promise<Response> {
  const route = operations.find(({ id }) => id === operation)?.route;
  if (route === undefined) throw new Error(`The contract has no operation ${operation}.`);
  const { params = {}, query, rawQuery = formatQuery(query), headers } = request;
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const body = request.raw ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
  const response = await fetch(url + path + (rawQuery && `?${rawQuery}`), {
    method: route.method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    ...(text !== "" && { body: JSON.parse(text) }),
  };
}

/** An array becomes a repeated parameter. */
function formatQuery(query: Request["query"] = {}): string {
  const search = new URLSearchParams();
  for (const [name, values] of Object.entries(query))
    for (const value of [values].flat()) search.append(name, value);
  return search.toString();
}
