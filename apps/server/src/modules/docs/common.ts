import type { ErrorCode, OpenApiDocument } from "@madang/contract";
import { type Html, html, prose } from "./html";
import type { DescribedOperation } from "./reference/described-operation";

/** Errors and headers that many operations share. The introduction lists them once, and each operation lists only the others. */
export interface Common {
  /** Error codes of every operation, and those that every change has besides. */
  readonly errors: readonly ErrorCode[];
  readonly changeErrors: readonly ErrorCode[];
  /** Names of response headers that every operation sends, and those that every change sends besides. */
  readonly headers: readonly string[];
  readonly changeHeaders: readonly string[];
}

export function findCommon(operations: readonly DescribedOperation[]): Common {
  const changes = operations.filter(isChange);
  const errors = shared(operations.map(({ errors }) => errors));
  const headers = shared(operations.map(responseHeaders));
  return {
    errors,
    headers,
    changeErrors: shared(changes.map((change) => change.errors)).filter((code) => !errors.includes(code)),
    changeHeaders: shared(changes.map(responseHeaders)).filter((name) => !headers.includes(name)),
  };
}

export function isChange({ method }: DescribedOperation): boolean {
  return method !== "GET";
}

export function responseHeaders({ success }: DescribedOperation): string[] {
  return Object.keys(success.response.headers);
}

/** The response headers of these names, with what they mean. */
export function headerList(names: readonly string[], { components }: OpenApiDocument): Html {
  const entries = names.map(
    (name) =>
      html`<div><dt><code>${name}</code></dt><dd><p>${prose(components.headers[name]?.description ?? "")}</p></dd></div>`,
  );
  return html`<dl class="fields">${entries}</dl>`;
}

function shared<Value>([first = [], ...others]: readonly (readonly Value[])[]): Value[] {
  return first.filter((value) => others.every((other) => other.includes(value)));
}
