-- How many requests each credential made in its current window, in the form that rate-limiter-flexible uses. Unlogged:
-- a crash empties it, and every window begins anew.
CREATE UNLOGGED TABLE "rate_limits" (
  "key"    VARCHAR(255) PRIMARY KEY,
  "points" INTEGER NOT NULL DEFAULT 0,
  "expire" BIGINT
);
