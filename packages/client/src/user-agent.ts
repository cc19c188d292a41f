import { version } from "../package.json";

/** `madang-client/0.1.0 (node/24.21.0)`; the runtimes other than Node say themselves what they are. */
export const userAgent = `madang-client/${version} (${findRuntime()})`;

function findRuntime(): string {
  const { navigator, process } = globalThis as {
    navigator?: { userAgent?: string };
    process?: { versions?: { node?: string } };
  };
  return navigator?.userAgent ?? `node/${process?.versions?.node}`;
}
