import { operations } from "@madang/contract";
import type { Server } from "@madang/examples/start-server";
import { observeFetch } from "./observed-fetch.ts";
import { startMock, startProxy } from "./prism.ts";
import { provokeErrors } from "./provoke-errors.ts";
import type { Result } from "./result.ts";
import { journeyWithSdk } from "./sdk-journey.ts";
import { type Tour, tourWithSdk } from "./tours.ts";

/** Runs a program that should call every operation successfully. Failed and missing operations are violations. */
export async function runTour(
  tool: string,
  tour: Tour,
  { url, masterKey }: Pick<Server, "url" | "masterKey">,
): Promise<Result> {
  const observed = observeFetch();
  const failures: string[] = [];
  try {
    await tour(url, masterKey, observed.fetch);
  } catch (error) {
    failures.push(error instanceof Error ? error.message : JSON.stringify(error));
  }
  const missing = operations
    .filter(({ id }) => !observed.succeeded.has(id))
    .map(({ id }) => `${id} was not called successfully`);
  return {
    tool,
    operations: observed.succeeded.size,
    violations: [...failures, ...observed.violations, ...missing],
  };
}

/** Sends calls of the SDK and invalid requests through Prism, which validates every response against the document. */
export async function runProxy(server: Server): Promise<Result> {
  const proxy = await startProxy(server.url);
  const tour: Tour = async (...args) => {
    await tourWithSdk(...args);
    await journeyWithSdk(...args);
    await provokeErrors(...args);
  };
  try {
    return await runTour("@stoplight/prism-cli", tour, { ...server, url: proxy.url });
  } finally {
    await proxy.stop();
  }
}

/** Runs the SDK against Prism without a server. It responds with the examples of the document. */
export async function runMock(): Promise<Result> {
  const mock = await startMock();
  try {
    return await runTour("@stoplight/prism-cli", tourWithSdk, { url: mock.url, masterKey: "mk_any" });
  } finally {
    await mock.stop();
  }
}
