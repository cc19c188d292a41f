/** The targets of requests. A POST has an idempotency key, except on the unkeyed sides. The last two have many connections. */
export const sides = [
  "server",
  "baseline",
  "serverUnkeyed",
  "baselineUnkeyed",
  "serverOfMany",
  "baselineOfMany",
] as const;

export const manyConnections = 64;

export type Side = (typeof sides)[number];

export const isKeyed = (side: Side) => side !== "serverUnkeyed" && side !== "baselineUnkeyed";
