import pino, { type Logger } from "pino";

const bufferedBytes = 8_192;
const flushMs = 100;

/**
 * Writes lines to standard output. They are buffered, because writing each line costs more than formatting it. The
 * buffer is flushed every 100 ms and when the process exits.
 */
export function createLogger(level: string): Logger {
  const output = pino.destination({ sync: true, minLength: bufferedBytes, periodicFlush: flushMs });
  process.once("exit", () => output.flushSync());
  return pino(
    { level, base: null, timestamp: createIsoTime(Date.now), serializers: { err: describeError } },
    output,
  );
}

/** The time in pino's format. The part up to the second is formatted once per second. */
function createIsoTime(now: () => number): () => string {
  let second = Number.NaN;
  let prefix = "";
  return () => {
    const time = now();
    const milliseconds = time % 1_000;
    if (time - milliseconds !== second) {
      second = time - milliseconds;
      prefix = `,"time":"${new Date(second).toISOString().slice(0, -4)}`;
    }
    return `${prefix}${String(milliseconds).padStart(3, "0")}Z"`;
  };
}

/**
 * Omits what PostgreSQL and the pool add to an error: `detail` may contain a whole row, and `client` the whole connection
 * with its settings.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { detail: _, where: __, client: ___, ...described } = pino.stdSerializers.err(error);
  return described;
}
