import type { Response } from "express";
import type { Resource } from "../../turns/resource";
import { clientOf, localsOf } from "../locals";
import { whenClosed } from "./when-closed";

/**
 * Reserves the bytes of a response before it exists, until its client has read it or has left. `sendJson` then counts what it has. A
 * second reservation of a request extends the first.
 */
export async function reserveResponse(response: Response, responses: Resource, bytes: number): Promise<void> {
  const locals = localsOf(response);
  const known = locals.reserved?.amount ?? 0;
  if (known >= bytes) return;
  const more = await responses.take(bytes - known, clientOf(response));
  if (locals.reserved === undefined) locals.reserved = more;
  else {
    locals.reserved.resize(bytes);
    more.release();
  }
  const { reserved } = locals;
  whenClosed(response, () => reserved.release());
}
