/** Who sends and who responds. A change has an idempotency key, except on the unkeyed sides. */
export const sides = ["server", "baseline", "serverUnkeyed", "baselineUnkeyed"] as const;

export type Side = (typeof sides)[number];

export const isKeyed = (side: Side) => side === "server" || side === "baseline";
