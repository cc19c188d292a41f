import type { Options } from "tsup";

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

/**
 * Ky without what the transport never asks of it: its presets, merging of options, progress of transfers, and its own
 * reading of `Retry-After` and of the words of network errors, which the SDK does by itself. 3 KB of a bundle, gzipped.
 * Each file is replaced whole; one that a newer ky does not have any more fails the build.
 */
const parts: Record<string, string> = {
  "index.js": `
    import { Ky } from "./core/Ky.js";
    export default Ky.create;`,
  "core/retry-timing.js": `
    export const getRetryTimingHeader = () => {};
    export const calculateRetryTimingDelay = () => {};`,
  "utils/body.js": `
    export const streamRequest = (request) => request;
    export const streamResponse = (response) => response;`,
  "utils/is-network-error.js": "export default () => false;",
  "utils/options.js": `
    export const findUnknownOptions = () => ({});
    export const hasSearchParameters = () => false;`,
  "utils/normalize.js": `
    export const normalizeRetryOptions = (retry) => retry;
    export const normalizeRequestMethod = (method) => method;`,
  "utils/merge.js": `
    export const mergeHeaders = () => new Headers();
    export const mergeHooks = () => ({ init: [], beforeRequest: [], beforeRetry: [], beforeError: [], afterResponse: [] });
    export const cloneShallow = (value) => value;
    export const deletedParametersSymbol = Symbol();`,
};

export const slimKy: Plugin = {
  name: "slim-ky",
  setup(build) {
    const missing = new Set(Object.keys(parts));
    build.onLoad({ filter: /[\\/]ky[\\/]distribution[\\/].*\.js$/ }, ({ path }) => {
      const [, name = ""] = path.replaceAll("\\", "/").split("/ky/distribution/");
      missing.delete(name);
      const contents = parts[name];
      return contents === undefined ? undefined : { contents, loader: "js" };
    });
    build.onEnd(() => {
      if (missing.size === 0) return undefined;
      return { errors: [{ text: `ky has no ${[...missing].join(", ")} any more: see scripts/slim-ky.ts` }] };
    });
  },
};
