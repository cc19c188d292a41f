import pino, { type DestinationStream, type Logger } from "pino";

/** Writes lines of JSON, to standard output by default. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  };
  return pino(options, destination ?? openOutput());
}

/** Standard output. After its terminal has closed, lines are dropped, as pino does for a closed pipe: the service stops in order. */
function openOutput(): DestinationStream {
  const output = pino.destination();
  output.on("error", () => Object.assign(output, { write: () => true, flushSync: () => undefined }));
  return output;
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
