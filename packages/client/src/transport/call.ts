import { ValidationError } from "../errors/errors";
import type { Operations, RouteName } from "../generated/operations";
import { routes } from "../generated/routes";
import type { Operation } from "../generated/types";
import type { CallOptions } from "../options";
import type { Route } from "../route";
import { createRequest, type RequestDeps, type RequestParts } from "./request";
import { parseBody, type ReceivedResponse } from "./response";
import { createSend, type TransportDeps } from "./send";

/** The parts of a request, with the types of the contract. */
export type Input<Name extends RouteName> = RequestParts & Omit<Operations[Name], "response">;

/** The data of a response, with the type of the contract. */
export type Data<Name extends RouteName> = Operations[Name]["response"];

/** Sends a request of the contract and returns the data of its response, or throws a `ChatError`. */
export type Call = <Name extends RouteName, Result = Data<Name>>(
  name: Name,
  input: Input<Name>,
  options: CallOptions | undefined,
  read?: (data: Data<Name>, response: ReceivedResponse) => Result,
) => Promise<Result>;

/** What all calls of a client share. */
export interface CallDeps extends TransportDeps, RequestDeps {
  /** Whether all of a response is checked, and not only its fields on the top level. */
  readonly check: boolean | undefined;
}

export function createCall(deps: CallDeps): Call {
  const send = createSend(deps);
  const call = async (
    name: RouteName,
    input: RequestParts,
    options: CallOptions = {},
    read = (data: unknown, _response: ReceivedResponse): unknown => data,
  ): Promise<unknown> => {
    if (!Object.hasOwn(routes, name))
      throw new ValidationError("operation", `There is no operation ${JSON.stringify(name)}.`);
    const route: Route = routes[name];
    // Every route that is not a variant has the name of its method.
    const operation = route.variantOf ?? (name as Operation);
    const response = await send(createRequest(deps, operation, route, input, options));
    return read(route.response && parseBody(response, route.response, deps.check), response);
  };
  // The routes and the types of `Call` are generated from one contract, and every response is checked against it.
  return call as Call;
}
