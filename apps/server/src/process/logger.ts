import pino, { type DestinationStream, type Logger } from "pino";

/** Writes lines of JSON, to standard output by default. */
export function createLogger(level: string, destination: DestinationStream = new LogOutput()): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  };
  const logger = pino(options, destination);
  if (destination instanceof LogOutput)
    destination.onDropped = (lines) =>
      logger.warn({ lines }, "lines of the log were dropped: standard output could not be written");
  return logger;
}

/** About 3,000 lines. */
const maxWaitingBytes = 1_000_000;
const retryMs = 1_000;

/**
 * Standard output. While it cannot be written, because its disk is full or its terminal has closed, lines wait; those beyond a
 * megabyte are dropped. Writing is tried again with each line and each second, and then a line says how many are missing. After the
 * reader of a pipe has gone, pino drops all lines.
 */
export class LogOutput implements DestinationStream {
  readonly #stream = pino.destination({ sync: true, maxLength: maxWaitingBytes });
  #retry: NodeJS.Timeout | undefined;
  #unreported = 0;
  #droppedLines = 0;
  /** Called when writing works again, with the number of lines that are missing. */
  onDropped: (lines: number) => void = () => undefined;

  constructor() {
    this.#stream.on("error", () => {
      this.#retry ??= setTimeout(() => {
        this.#retry = undefined;
        this.write("");
      }, retryMs).unref();
    });
    this.#stream.on("drop", () => {
      this.#droppedLines += 1;
      this.#unreported += 1;
      if (this.#unreported === 1) this.#stream.once("drain", () => this.#report());
    });
  }

  /** Of this process. */
  get droppedLines(): number {
    return this.#droppedLines;
  }

  write(line: string): void {
    this.#stream.write(line);
  }

  #report(): void {
    const lines = this.#unreported;
    this.#unreported = 0;
    this.onDropped(lines);
  }
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
