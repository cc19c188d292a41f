/** The targets of requests. A POST has an idempotency key, except on the unkeyed sides. */
export const sides = ["server", "ceiling", "serverUnkeyed", "ceilingUnkeyed", "workers"] as const;

export type Side = (typeof sides)[number];

export const isKeyed = (side: Side) => side !== "serverUnkeyed" && side !== "ceilingUnkeyed";
