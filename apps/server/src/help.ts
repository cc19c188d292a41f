export const help = `madang-server: a chat backend that an application calls server to server.

Usage
  madang-server start             serve; the database must be migrated
  madang-server start --migrate   apply the missing migrations, then serve
  madang-server start --workers 4
                                  serve with several processes on one port, 1 to 10, which share the
                                  connections; each shows its metrics on the next port
  madang-server migrate           apply the missing migrations, and end
  madang-server --help            this page

Settings (environment)
  PORT                 where to listen (3000)
  HOST                 on which address (127.0.0.1; 0.0.0.0 for every one)
  DATABASE_URL         the PostgreSQL to use, version 15 or later. Without it an embedded one is
                       started, migrated, and kept in the data folder
  DATABASE_REPLICA_URL  a streaming replica of it, which further pages of exports and lists are read from
                       while it is up to date; none by default
  MADANG_MASTER_KEY    the master API key, 16 to 512 visible characters. Required with DATABASE_URL;
                       otherwise made once and kept in the data folder
  MADANG_DATA_DIR      the data folder (.madang)
  MADANG_KEY_HEADERS   further headers that may carry the API key, e.g. x-api-key,app_api_key
  MADANG_USER_LIST     cursor (default): users come with a cursor; reference: always a bare array
  MADANG_RATE_LIMIT    how many requests each key may make over all processes, e.g. 600/60s; none by default
  MADANG_KEY_GUESSES   how many wrong keys an address may send, to each process (60/60s)
  MADANG_TRUSTED_PROXIES  how many proxies stand before the server, which X-Forwarded-For is believed from (0)
  MADANG_METRICS_PORT  a port of its own for Prometheus, at /metrics; none by default
  MADANG_SLOW_STATEMENT_MS  statements that take longer are logged (500)
  MADANG_CHECK_ANSWERS  log: holds every answer against the contract, logs and counts what is wrong; off (default)
  LOG_LEVEL            fatal, error, warn, info (default), debug, trace or silent

Exit codes: 0 ended as asked, 1 failed, 2 called or set wrongly.
`;
