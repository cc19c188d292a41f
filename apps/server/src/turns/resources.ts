import type { Client } from "./client";
import { Resource } from "./resource";

const megabyte = 2 ** 20;
/** Bodies and responses of this size take little more than the connection that they are on. */
export const smallBytes = 2 ** 16;
/** A chat page, on all devices of a person, sends a tenth of it at once. */
const maxRequestsOfUser = 256;

/** What the requests of a process share, besides its connections to the database. */
export interface Resources {
  /** The requests whose response is not sent yet. */
  readonly requests: Resource;
  /** Bytes of bodies, from the first one until the handler has ended. While one is decoded, parsed and stored, it takes six times as much. */
  readonly bodies: Resource;
  /** Bytes of responses, from before the handler makes one until the client has read it. */
  readonly responses: Resource;
  /** Reads of large pages: half of the connections are for other requests. */
  readonly pages: Resource;
  /** Searches of messages: the limit keeps processor time for other requests. */
  readonly searches: Resource;
  /** Searches of names of users and channels. */
  readonly names: Resource;
  /** Uploads of files that pass through the server. */
  readonly uploads: Resource;
}

export function createResources(maxConnections: number): Resources {
  return {
    requests: new Resource({
      name: "requests",
      what: "requests",
      total: Number.MAX_SAFE_INTEGER,
      keptForKeys: 0,
      maxOf: ({ kind }: Client) => (kind === "user" ? maxRequestsOfUser : Number.MAX_SAFE_INTEGER),
    }),
    bodies: new Resource({
      name: "bodies",
      what: "bytes of request bodies",
      total: 32 * megabyte,
      small: smallBytes,
      isHeldByClients: true,
    }),
    responses: new Resource({
      name: "responses",
      what: "bytes of unread responses",
      total: 64 * megabyte,
      small: smallBytes,
      isHeldByClients: true,
    }),
    pages: new Resource({
      name: "pages",
      what: "reads of large pages",
      total: Math.max(1, Math.floor(maxConnections / 2)),
    }),
    searches: new Resource({ name: "searches", what: "searches", total: 3 }),
    names: new Resource({ name: "names", what: "searches of names", total: 3 }),
    uploads: new Resource({ name: "uploads", what: "uploads", total: 64 }),
  };
}
