import type { ResponseLike } from "./platform";
import type { Call } from "./transport/call";

/** The result of a call through `chat.raw`. */
export interface RawResponse<Data> {
  /** What the method returns without `raw`. */
  readonly data: Data;
  /** The response behind it. */
  readonly meta: ResponseMeta;
}

/** The response behind the data of a call. */
export interface ResponseMeta {
  /** The HTTP status. */
  readonly status: number;
  /** The headers: `headers.get("x-request-id")`. */
  readonly headers: ResponseLike["headers"];
  /** The `X-Request-Id`, which is also in the log of the service. */
  readonly requestId: string | undefined;
  /** How many times the request was sent. */
  readonly attempts: number;
  /** How long the call took, with all attempts and waits. */
  readonly durationMs: number;
}

/** The same methods, each returning `{ data, meta }`. Lists are unchanged. */
export type Raw<Resources> = {
  readonly [Name in keyof Resources]: Resources[Name] extends (...input: infer Input) => Promise<infer Data>
    ? (...input: Input) => Promise<RawResponse<Data>>
    : Resources[Name] extends (...input: infer _Input) => unknown
      ? Resources[Name]
      : Raw<Resources[Name]>;
};

/** Makes a call return the metadata of its response beside the data. */
export function createRawCall(call: Call): Call {
  const rawCall: Call = (name, input, options, read) =>
    call(name, input, options, (data, response) => {
      const { status, headers, requestId, attempts, durationMs } = response;
      const meta: ResponseMeta = { status, headers, requestId, attempts, durationMs };
      // The caller sees the type `Raw`, in which the data is wrapped.
      return { data: read ? read(data, response) : data, meta } as never;
    });
  return rawCall;
}
