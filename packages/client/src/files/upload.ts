import type { FileUpload } from "../generated/types";
import { resolveLimits } from "../limits";
import type { CallOptions, RequestOptions } from "../options";
import { isByteStream } from "../platform";
import { createSend, type TransportDeps } from "../transport/send";
import { createByteFetch, type OnProgress } from "./byte-fetch";
import type { Source } from "./source";

/** Sends bytes to the address of a file, without a key. */
export type Upload = (
  upload: FileUpload,
  source: Source,
  options: CallOptions,
  onProgress: OnProgress | undefined,
) => Promise<void>;

/** How long one attempt may take, unless a timeout is given: as long as the address works. */
const defaultTimeoutMs = 3_600_000;

export function createUpload(deps: TransportDeps & { readonly defaults: RequestOptions }): Upload {
  return async ({ method, url, headers }, source, options, onProgress) => {
    const limits = resolveLimits({ timeoutMs: defaultTimeoutMs, ...options }, deps.defaults, "files.create");
    const fetch = createByteFetch(deps.fetch, headers, source, onProgress);
    await createSend({ ...deps, apiKey: undefined, fetch })({
      ...limits,
      // A stream can be read once.
      ...(isByteStream(source.body) && { maxRetries: 0, maxDowntimeMs: 0 }),
      operation: "files.create",
      method,
      url,
      headers,
      body: undefined,
      signal: options.signal,
      secrets: new Set(),
    });
  };
}
