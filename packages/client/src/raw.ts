import type { Call } from "./call";
import type { ResponseLike } from "./platform";

/** What a call gives through `chat.raw`. */
export interface RawAnswer<Data> {
  readonly data: Data;
  readonly meta: AnswerMeta;
}

/** How an answer came. */
export interface AnswerMeta {
  readonly status: number;
  readonly headers: ResponseLike["headers"];
  readonly requestId: string | undefined;
  /** How many times the request was sent. */
  readonly attempts: number;
  readonly durationMs: number;
}

/** The same methods; each gives `{ data, meta }`. Lists are as ever. */
export type Raw<Calls> = {
  readonly [Name in keyof Calls]: Calls[Name] extends (...input: infer Input) => Promise<infer Data>
    ? (...input: Input) => Promise<RawAnswer<Data>>
    : Calls[Name] extends (...input: infer _Input) => unknown
      ? Calls[Name]
      : Raw<Calls[Name]>;
};

/** Gives how the answer came beside what it holds. */
export function createRawCall(call: Call): Call {
  const rawCall: Call = (operation, input, options, read) => {
    // Only lists have a query. Their pages are read by the pager, which wants them bare.
    if (input.query) return call(operation, input, options, read);
    return call(operation, input, options, (data, answer, fail) => {
      const { status, headers, requestId, attempts, durationMs } = answer;
      const meta: AnswerMeta = { status, headers, requestId, attempts, durationMs };
      return { data: read ? read(data, answer, fail) : data, meta } as never;
    });
  };
  return rawCall;
}
