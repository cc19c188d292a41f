import { version } from "../package.json";

/** `madang-client/0.1.0 (node/24.21.0)`; runtimes other than Node describe themselves. */
export const userAgent = `madang-client/${version} (${findRuntime()})`;

function findRuntime(): string {
  const { navigator, process } = globalThis as {
    navigator?: { userAgent?: string };
    process?: { versions?: { node?: string } };
  };
  return navigator?.userAgent ?? `node/${process?.versions?.node}`;
}
