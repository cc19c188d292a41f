import { type OperationId, operations } from "@madang/contract";

export interface Observed {
  readonly fetch: typeof fetch;
  /** The operations with a successful response. */
  readonly succeeded: ReadonlySet<OperationId>;
  /** The violations that a validating proxy reported. */
  readonly violations: readonly string[];
}

/** A fetch that records which operations a program calls and which violations the proxy reports. */
export function observeFetch(): Observed {
  const succeeded = new Set<OperationId>();
  const violations: string[] = [];
  return {
    succeeded,
    violations,
    async fetch(input, init) {
      const request = new Request(input, init);
      const response = await fetch(request);
      const { pathname } = new URL(request.url);
      const called = findOperation(request.method, pathname);
      if (response.ok && called !== undefined) succeeded.add(called);
      for (const { location, message } of violationsOf(response))
        violations.push(
          `${request.method} ${pathname} ${response.status}, ${location.join(".")}: ${message}`,
        );
      return response;
    },
  };
}

const patterns = operations.map(({ id, route }) => ({
  id,
  method: route.method,
  path: new RegExp(`^${route.path.replace(/:\w+/g, "[^/]+")}$`),
}));

/** The operation that a request calls, or none. */
function findOperation(method: string, path: string): OperationId | undefined {
  return patterns.find((pattern) => pattern.method === method && pattern.path.test(path))?.id;
}

interface Violation {
  readonly location: readonly string[];
  readonly message: string;
}

/** An error response is the result of an invalid request, so violations of that request are expected. */
function violationsOf(response: Response): Violation[] {
  const header = response.headers.get("sl-violations");
  if (header === null) return [];
  // The documented format of this header.
  const violations = JSON.parse(header) as Violation[];
  return response.ok ? violations : violations.filter(({ location }) => location[0] === "response");
}
