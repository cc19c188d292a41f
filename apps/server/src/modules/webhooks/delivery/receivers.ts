import type { LookupAddress } from "node:dns";
import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { codeOf } from "../../../errors/thrown";
import type { AddressRules } from "../../../security/address-rules";
import { type HostNames, openHostNames } from "./host-names";

/** How an attempt ended: with the status of a response, or with an error. */
export interface AttemptOutcome {
  readonly status: number | null;
  readonly durationMs: number;
  readonly error: string | null;
  /** The header `Retry-After` of the response. */
  readonly retryAfter?: string | undefined;
  /** Whether nothing was sent, because the request was not wanted any more. */
  readonly isUnwanted?: true;
  /** The body of the response, if it was asked for. */
  readonly body?: Buffer | undefined;
}

export interface PostOptions {
  /** Is asked before anything is sent: a new connection may take long. */
  readonly isWanted?: (() => Promise<boolean>) | undefined;
  /** Instead of the time limit of all receivers. */
  readonly timeoutMs?: number;
  /** Also reads the body of the response, within the time limit. One with more bytes is an error. Absent: it is discarded. */
  readonly maxBodyBytes?: number;
}

export interface Receivers {
  /** An error if webhooks must not be sent to the URL. A host name that cannot be resolved now is accepted. */
  findUrlError(url: string): Promise<string | undefined>;
  /** Sends one POST. Redirects are not followed. Never throws. */
  post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string | Buffer,
    options?: PostOptions,
  ): Promise<AttemptOutcome>;
  /** Closes all connections and ends all lookups. */
  close(): void;
}

export interface ReceiverOptions {
  readonly rules: AddressRules;
  readonly hostNames?: HostNames;
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 15_000;
/** Limits for reading the body of a response. A connection whose response was read completely can be reused. */
const maxBodyMs = 1_000;
const maxBodyBytes = 2 ** 16;
/** Interim responses, such as `100 Continue`, before the response. */
const maxInterimResponses = 10;

/**
 * The addresses are checked where a connection is opened, in the list from which Node takes the address to connect to.
 * So no name can change in between. Node does not look up literal addresses; the URL parser has brought every spelling
 * of them into one form.
 */
export function createReceivers(options: ReceiverOptions): Receivers {
  const { rules, hostNames = openHostNames(), timeoutMs = defaultTimeoutMs } = options;

  const resolve = async (host: string): Promise<LookupAddress[]> => {
    if (isIP(host) !== 0) return [{ address: host, family: isIP(host) }];
    return hostNames.resolve(host).catch(({ code }: NodeJS.ErrnoException) => {
      throw new Error(`The host name could not be resolved (${code === "ECANCELLED" ? "ETIMEOUT" : code}).`);
    });
  };
  const resolvePermitted = async (host: string, protocol: string) => {
    const addresses = await resolve(host);
    if (addresses.length === 0 || !addresses.every(({ address }) => rules.permits(address, protocol)))
      throw new ForbiddenAddress(protocol);
    return addresses;
  };
  const lookupFor = (protocol: string): LookupFunction => {
    return (host, { all, family = 0 }, callback) => {
      const matchesFamily = (one: LookupAddress) =>
        family === 0 || one.family === Number(`${family}`.slice(-1));
      resolvePermitted(host, protocol).then(
        (addresses) => {
          const [first, ...others] = addresses.filter(matchesFamily);
          if (first === undefined) callback(new Error("The host has no address."), "");
          else if (all === true) callback(null, [first, ...others]);
          else callback(null, first.address, first.family);
        },
        (error: Error) => callback(error, ""),
      );
    };
  };
  const clients = {
    "http:": { http, agent: new http.Agent({ keepAlive: true, lookup: lookupFor("http:") }) },
    "https:": { http: https, agent: new https.Agent({ keepAlive: true, lookup: lookupFor("https:") }) },
  };

  const send = async (
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: string | Buffer,
    signal: AbortSignal,
    options: PostOptions,
  ): Promise<Response> => {
    const { isWanted, maxBodyBytes } = options;
    // A URL that was stored has one of these two protocols.
    const protocol = url.protocol as keyof typeof clients;
    if (isIP(hostOf(url)) !== 0) await resolvePermitted(hostOf(url), protocol);
    const { http, agent } = clients[protocol];
    return new Promise((done, fail) => {
      const request = http.request(url, { method: "POST", agent, headers, signal });
      // True when a response has arrived or the request is sent again.
      let isContinued = false;
      let interimResponses = 0;
      request.on("information", () => {
        if (++interimResponses > maxInterimResponses)
          request.destroy(new Error(`The receiver sent more than ${maxInterimResponses} interim responses.`));
      });
      request.on("response", (response) => {
        isContinued = true;
        const { statusCode = 0, headers } = response;
        const retryAfter = headers["retry-after"];
        if (maxBodyBytes === undefined)
          void discard(response).then(() => done({ status: statusCode, retryAfter }));
        else
          readBody(response, maxBodyBytes).then(
            (body) => done({ status: statusCode, retryAfter, body }),
            (error: Error) => fail(signal.aborted ? new TimedOut() : error),
          );
      });
      request.on("upgrade", ({ statusCode = 0 }, socket) => {
        socket.destroy();
        done({ status: statusCode });
      });
      request.on("error", (error) => {
        // The status counts even if the body cannot be read.
        if (isContinued) return;
        // The receiver closed a kept connection just as it was used again: nothing was sent on it.
        if (request.reusedSocket && codeOf(error) === "ECONNRESET") {
          isContinued = true;
          send(url, headers, body, signal, options).then(done, fail);
        } else fail(signal.aborted ? new TimedOut() : error);
      });
      // `close` is the last event of every request.
      request.on("close", () => {
        if (!isContinued) fail(new Error("The receiver sent no response."));
      });
      if (isWanted === undefined) request.end(body);
      else
        request.once("socket", (socket) => {
          const ask = () =>
            isWanted().then(
              (wanted) => (wanted ? request.end(body) : request.destroy(new NotWanted())),
              (error: Error) => request.destroy(error),
            );
          if (socket.connecting) socket.once(protocol === "https:" ? "secureConnect" : "connect", ask);
          else void ask();
        });
    });
  };

  return {
    async findUrlError(text) {
      const url = new URL(text);
      try {
        await resolvePermitted(hostOf(url), url.protocol);
        return undefined;
      } catch (error) {
        if (error instanceof ForbiddenAddress) return error.message;
        // Only known addresses may be exceptions from TLS.
        return url.protocol === "https:" ? undefined : new ForbiddenAddress(url.protocol).message;
      }
    },
    async post(url, headers, body, options = {}) {
      const startedAt = performance.now();
      const limitMs = options.timeoutMs ?? timeoutMs;
      const durationMs = () => Math.round(performance.now() - startedAt);
      try {
        const signal = AbortSignal.timeout(limitMs);
        const response = await send(new URL(url), headers, body, signal, options);
        return { ...response, durationMs: durationMs(), error: null };
      } catch (error) {
        if (error instanceof NotWanted)
          return { status: null, durationMs: durationMs(), error: null, isUnwanted: true };
        const text =
          error instanceof TimedOut ? `There was no response within ${limitMs / 1_000} s.` : describe(error);
        return { status: null, durationMs: durationMs(), error: text };
      }
    },
    close() {
      for (const { agent } of Object.values(clients)) agent.destroy();
      hostNames.close();
    },
  };
}

interface Response {
  readonly status: number;
  readonly retryAfter?: string | undefined;
  readonly body?: Buffer;
}

class NotWanted extends Error {}

class TimedOut extends Error {}

class ForbiddenAddress extends Error {
  constructor(protocol: string) {
    super(
      protocol === "https:"
        ? "The host is in the server's own network. MADANG_WEBHOOK_ALLOW permits exceptions."
        : "The URL must begin with https:. MADANG_WEBHOOK_ALLOW permits exceptions.",
    );
  }
}

/** The host of a URL; an IPv6 address is without its brackets. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, "");

/** Reads the body of a response to its end or to a limit. */
function discard(response: http.IncomingMessage): Promise<void> {
  return new Promise((done) => {
    let bytes = 0;
    const timer = setTimeout(() => response.destroy(), maxBodyMs);
    response.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBodyBytes) response.destroy();
    });
    response.on("error", () => undefined);
    response.on("close", () => {
      clearTimeout(timer);
      done();
    });
  });
}

/** Reads the whole body of a response. Rejects one that is larger or ends early. */
function readBody(response: http.IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((done, fail) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= maxBytes) return;
      fail(new Error(`The response has more than ${maxBytes.toLocaleString("en-US")} bytes.`));
      response.destroy();
    });
    response.on("error", () => undefined);
    response.on("close", () =>
      response.complete ? done(Buffer.concat(chunks)) : fail(new Error("The response is incomplete.")),
    );
  });
}

function describe(error: unknown): string {
  const code = codeOf(error);
  return code === undefined ? String(Object(error).message) : `The connection failed (${code}).`;
}
