import type { OperationId } from "@madang/contract";
import { findOperation } from "./find-operation.ts";

export interface Observed {
  readonly fetch: typeof fetch;
  /** The operations that were answered with success. */
  readonly succeeded: ReadonlySet<OperationId>;
  /** What a validating proxy said of the answers. */
  readonly violations: readonly string[];
}

/** A fetch that notes which operations a program calls, and what the proxy on the way objects to. */
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

interface Violation {
  readonly location: readonly string[];
  readonly message: string;
}

/** A refusal follows a request that breaks a rule: what the proxy says of that request is no news. */
function violationsOf(response: Response): Violation[] {
  const header = response.headers.get("sl-violations");
  if (header === null) return [];
  // The form that the proxy documents for this header.
  const violations = JSON.parse(header) as Violation[];
  return response.ok ? violations : violations.filter(({ location }) => location[0] === "response");
}
