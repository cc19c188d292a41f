-- Sessions of the console that were signed out before they expired.
CREATE TABLE ended_sessions (
  id text PRIMARY KEY,
  expires_at bigint NOT NULL
);
