// What React Native adds to Hermes, by its own packages where it has some, on the timers and the network of `runInHermes`.
import { AbortController, AbortSignal } from "abort-controller/dist/abort-controller";

declare const print: (text: string) => void;

let count = 0;
const waiting = new Map<number, (...values: never[]) => void>();

/** Asks the program that runs Hermes for something. It calls `receive` with the id when it is there. */
function ask(request: object, done: (...values: never[]) => void): number {
  const id = ++count;
  waiting.set(id, done);
  print(`@${JSON.stringify({ id, ...request })}`);
  return id;
}

function forget(id: number): boolean {
  if (!waiting.delete(id)) return false;
  print(`@${JSON.stringify({ id, type: "forget" })}`);
  return true;
}

/** The network as whatwg-fetch uses it: a response is there once it is complete. */
class XMLHttpRequest {
  status = 0;
  readyState = 0;
  response = "";
  responseURL = "";
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  onreadystatechange?: () => void;
  #method = "";
  #received = "";
  #id = 0;
  readonly #headers: Record<string, string> = {};

  open(method: string, url: string): void {
    this.#method = method;
    this.responseURL = url;
  }
  setRequestHeader(name: string, value: string): void {
    this.#headers[name] = value;
  }
  getAllResponseHeaders(): string {
    return this.#received;
  }
  send(body: string | null): void {
    const request = { method: this.#method, url: this.responseURL, headers: this.#headers, body };
    this.#id = ask({ type: "fetch", ...request }, (status: number, headers: string, text: string) => {
      waiting.delete(this.#id);
      if (status === 0) return this.onerror?.();
      this.status = status;
      this.#received = headers;
      this.response = text;
      this.readyState = 4;
      this.onreadystatechange?.();
      this.onload?.();
    });
  }
  abort(): void {
    if (forget(this.#id)) this.onabort?.();
  }
}

const startedAt = Date.now();
const createTimer =
  (type: "timeout" | "interval") =>
  (work: () => void, ms = 0) =>
    ask({ type, ms }, work);

Object.assign(globalThis, {
  self: globalThis,
  console: { assert: () => {}, warn: print, error: print },
  navigator: { product: "ReactNative" },
  performance: { now: () => Date.now() - startedAt },
  setTimeout: createTimer("timeout"),
  setInterval: createTimer("interval"),
  clearTimeout: forget,
  clearInterval: forget,
  queueMicrotask: (work: () => void) => void Promise.resolve().then(work),
  AbortController,
  AbortSignal,
  XMLHttpRequest,
  URLSearchParams: class {},
  // It does no more than this there either.
  URL: class {
    readonly href: string;
    readonly search = "";
    readonly hash = "";
    readonly username = "";
    readonly password = "";
    constructor(url: string) {
      this.href = url;
    }
    get protocol() {
      return this.href.replace(/\/.*/, "");
    }
    toString() {
      return this.href;
    }
  },
  receive: (id: number, ...values: never[]) => waiting.get(id)?.(...values),
});

// What Hermes has got since 0.12, and React Native since 0.74.
const add = (object: object, members: Record<string, unknown>) => {
  for (const [name, value] of Object.entries(members)) Object.defineProperty(object, name, { value });
};
add(Array.prototype, {
  at(this: unknown[], index: number) {
    return this[index < 0 ? this.length + index : index];
  },
  with(this: unknown[], index: number, value: unknown) {
    return this.map((each, at) => (at === index ? value : each));
  },
  toSpliced(this: unknown[], ...change: [number, number]) {
    const copy = [...this];
    copy.splice(...change);
    return copy;
  },
});
add(globalThis, {
  TextEncoder: class {
    encode(text: string) {
      const bytes = encodeURIComponent(text).match(/%..|./g) ?? [];
      return Uint8Array.from(bytes, (byte) =>
        byte.length > 1 ? Number.parseInt(byte.slice(1), 16) : byte.charCodeAt(0),
      );
    }
  },
});
