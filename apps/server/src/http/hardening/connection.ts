import { type IncomingMessage, maxHeaderSize, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { errors } from "@madang/contract";
import { ServiceError } from "../../errors/service-error";
import { problemType, serializeProblem } from "../response/send-errors";
import { failBody, isUpload } from "./body-faults";
import { readInTurns } from "./read-in-turns";

const maxLingerMs = 2_000;

/**
 * Handles the requests of one connection one after another. Node parses pipelined requests as they arrive and would run
 * all of them, with every response in memory. Here, a request waits until the previous response is written, and while
 * one waits, nothing more is read.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #basePath: string;
  readonly #waiting: (() => void)[] = [];
  #isBusy = false;
  #isEnding = false;
  #isReadInTurns = false;
  #latest: { readonly request: IncomingMessage; readonly response: ServerResponse } | undefined;
  #latestAt = 0;

  /** `basePath` is the path of the public address. */
  constructor(socket: Socket, basePath: string) {
    this.#socket = socket;
    this.#basePath = basePath;
    // Node removes its own listeners from a socket that sends CONNECT.
    socket.on("error", ignore).on("timeout", () => socket.destroy());
  }

  /** Whether no later request has arrived. */
  get isLast(): boolean {
    return this.#waiting.length === 0;
  }

  /** Calls `start`, which responds, once all earlier responses are written. */
  handle(request: IncomingMessage, response: ServerResponse, start: () => void): void {
    this.#latest = { request, response };
    this.#latestAt = performance.now();
    if (request.headers["transfer-encoding"] !== undefined && !this.#isReadInTurns) {
      this.#isReadInTurns = true;
      readInTurns(this.#socket);
    }
    this.#enqueue(() => {
      response.once("close", this.#advance);
      start();
    });
  }

  /** Rejects what Node cannot parse or did not receive in time, once all earlier responses are written. */
  reject(error: NodeJS.ErrnoException): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    if (!this.#socket.writable || error.code === "ECONNRESET") {
      this.#socket.destroy();
      return;
    }
    // After the client has closed its side, Node would close the connection before our response.
    this.#socket.removeAllListeners("end");
    const rejection = toServiceError(error);
    const { request, response } = this.#latest ?? {};
    const isInBody = request !== undefined && response !== undefined && !request.complete;
    if (isInBody) {
      // The handler's response reports the error, unless it was sent already.
      if (!response.headersSent) response.setHeader("Connection", "close");
      failBody(request, rejection);
    }
    this.#enqueue(() => this.#end(isInBody ? "" : toHttp(rejection, this.#basePath)));
  }

  /** Rejects a request whose body takes too long. */
  checkTime({ requestTimeout, uploadTimeout }: { requestTimeout: number; uploadTimeout: number }): void {
    const request = this.#latest?.request;
    if (request === undefined || request.complete) return;
    const limitMs = isUpload(request) ? uploadTimeout : requestTimeout;
    if (performance.now() - this.#latestAt > limitMs)
      this.reject(
        Object.assign(new Error("The request took too long."), { code: "ERR_HTTP_REQUEST_TIMEOUT" }),
      );
  }

  #enqueue(step: () => void): void {
    if (!this.#isBusy) {
      this.#isBusy = true;
      step();
      return;
    }
    if (this.#waiting.push(step) === 1) this.#pause();
  }

  readonly #advance = (): void => {
    const step = this.#waiting.shift();
    this.#isBusy = step !== undefined;
    if (step === undefined) return;
    // In a later turn of the event loop, so that other connections are served in between.
    setImmediate(() => {
      // The previous response may have closed the connection.
      if (!this.#socket.writable) return;
      if (this.isLast) this.#socket.resume();
      step();
    });
  };

  /** Node reads past the stream, so pausing works only with a `data` listener; and Node resumes it, as on `drain`. */
  #pause(): void {
    const socket = this.#socket;
    if (socket.listenerCount("data", ignore) === 0)
      socket.on("data", ignore).on("resume", () => this.isLast || socket.pause());
    socket.pause();
  }

  /** Closes the connection. Discards what the client still sends for a while, so that it can read the response. */
  #end(text: string): void {
    const socket = this.#socket;
    socket.resume().end(text);
    const timer = setTimeout(() => socket.destroy(), maxLingerMs);
    socket.once("close", () => clearTimeout(timer));
  }
}

function ignore(): void {}

function toServiceError({ code }: NodeJS.ErrnoException): ServiceError {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new ServiceError("request_timeout", "The request did not arrive in time. Send it again.");
  return new ServiceError(
    "invalid_request",
    code === "HPE_HEADER_OVERFLOW"
      ? `The address and the headers of the request have more than ${maxHeaderSize.toLocaleString("en-US")} bytes.`
      : "The request is not valid HTTP/1.1.",
  );
}

/** A raw response to a request that could not be parsed: it has no response object and no id. */
function toHttp(rejection: ServiceError, basePath: string): string {
  const { status } = errors[rejection.code];
  const body = serializeProblem(rejection, "none", basePath);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${problemType}`,
    `Content-Length: ${body.length}`,
    "X-Request-Id: none",
    "Connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}
