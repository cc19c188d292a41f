import pino, { type DestinationStream, type Logger } from "pino";

/** Writes lines of JSON, to standard output by default. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
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
