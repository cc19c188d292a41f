import { createApiError } from "./api-error";
import type { Operation } from "./error-codes";
import { fillMeta } from "./meta";
import type { CallOptions, Check, RequestOptions } from "./options";
import { createRequest, type Input } from "./request";
import { createParseError, parseBody, type ReceivedResponse } from "./response";
import { type Route, routes } from "./routes";
import { send, type TransportDeps } from "./transport";

/** Sends a request of the contract and returns the data of its response, or throws a `ChatError`. */
export type Call = <Data>(
  operation: Operation,
  input: Input,
  options: CallOptions | undefined,
  read?: (data: unknown, response: ReceivedResponse) => Data,
) => Promise<Data>;

/** What all calls of a client share. */
export interface CallDeps extends TransportDeps {
  readonly baseUrl: string;
  readonly defaults: RequestOptions;
  readonly check: Check | undefined;
}

export function createCall(deps: CallDeps): Call {
  return async (operation, input, options = {}, read = trustData) => {
    const request = createRequest(deps.baseUrl, operation, input, options, deps.defaults);
    const response = await send(request, deps);
    const route: Route = routes[operation];
    if (response.status < 200 || response.status > 299) {
      const error = createApiError(response);
      // An earlier attempt of this call has deleted what the last one did not find.
      if (!response.mayAlreadyBeDone || !route.gone || error.code !== route.gone) throw error;
    }
    if (route.empty) return read(undefined, response);
    const data = parseBody(response);
    const fault = deps.check?.(operation, data);
    if (fault !== undefined) throw createParseError(response, `a body that breaks the contract: ${fault}`);
    fillMeta(data);
    return read(data, response);
  };
}

function trustData<Data>(data: unknown): Data {
  // The types are those of the contract, and the response was checked against it.
  return data as Data;
}
