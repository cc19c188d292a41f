import type { Call } from "./call";
import type { ResponseLike } from "./platform";

/** The result of a call through `chat.raw`. */
export interface RawResponse<Data> {
  readonly data: Data;
  readonly meta: ResponseMeta;
}

/** The response behind the data of a call. */
export interface ResponseMeta {
  readonly status: number;
  readonly headers: ResponseLike["headers"];
  readonly requestId: string | undefined;
  /** How many times the request was sent. */
  readonly attempts: number;
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
      // The caller sees the type of `Raw`, which says that the data is wrapped.
      return { data: read ? read(data, response) : data, meta } as never;
    });
  return rawCall;
}
