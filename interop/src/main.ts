import { startServer } from "@madang/examples/start-server";
import { checkKubernetes } from "./kubernetes.ts";
import { lintWithRedocly, lintWithSpectral } from "./lint.ts";
import { runMock, runProxy, runTour } from "./programs.ts";
import { runPythonClient } from "./python-client.ts";
import type { Result } from "./result.ts";
import { versionOf } from "./tool.ts";
import { tourWithHeyApi, tourWithOpenapiFetch } from "./tours.ts";
import { verifyWebhooks } from "./webhooks.ts";

// Runs every tool and prints one line for each, followed by its violations.
const server = await startServer({
  MADANG_WEBHOOK_ALLOW: "127.0.0.1/32",
  MADANG_PUSH_CONTACT: "mailto:operator@example.com",
});
try {
  report("lints the document", await lintWithRedocly());
  report("lints the document", await lintWithSpectral());
  report(
    "types every call",
    await runTour("openapi-fetch", tourWithOpenapiFetch, server),
    "openapi-typescript",
  );
  report("generates a client", await runTour("@hey-api/openapi-ts", tourWithHeyApi, server));
  const python = await runPythonClient(server);
  if (python === undefined) console.log("openapi-python-client: skipped, because uv is not installed");
  else report("generates a client of another language", python);
  report("proxy: checks SDK and server", await runProxy(server));
  report("checks kubernetes.yaml", checkKubernetes());
  report("verifies webhooks", await verifyWebhooks(server));
  report("mock: responds to the SDK", await runMock());
} finally {
  await server.stop();
}

function report(
  role: string,
  { tool, version = versionOf(tool), operations, violations }: Result,
  ...alongside: string[]
): void {
  const names = [...alongside.map((name) => `${name} ${versionOf(name)}`), `${tool} ${version}`].join(", ");
  console.log(`${names} (${role}): ${operations} operations, ${violations.length} violations`);
  for (const violation of violations) console.log(`  ${violation}`);
  if (violations.length > 0) process.exitCode = 1;
}
