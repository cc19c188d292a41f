import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canConnect, findFreePort } from "./ports";

// Other systems have no second loopback address.
const isInstalled = (program: string) =>
  process.platform === "linux" && spawnSync(program, ["-v"]).status === 0;
export const hasNginx = isInstalled("nginx");
export const hasHaproxy = isInstalled("haproxy");

export interface LoadBalancer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts nginx with the configuration of the deploying guide, in front of the servers on these ports. */
export async function startNginx(servers: readonly number[]): Promise<LoadBalancer> {
  const { block, port } = await readBlock("nginx", /^ *server 127.*;$/m, "listen 8080;", (listening) => ({
    servers: servers.map((server) => `server 127.0.0.1:${server};`),
    listen: `listen 127.0.0.1:${listening};`,
  }));
  return runNginx(port, block);
}

/** Starts nginx with a service below a path of its host. A `proxy_pass` that ends with `/` removes the path. */
export function startNginxBelow(
  path: string,
  { port, server, isPathRemoved }: { port: number; server: string; isPathRemoved: boolean },
): Promise<LoadBalancer> {
  return runNginx(
    port,
    `server {
      listen 127.0.0.1:${port};
      location ${path}/ {
        proxy_pass ${server}${isPathRemoved ? "/" : ""};
        proxy_set_header Host $http_host;
      }
    }`,
  );
}

function runNginx(port: number, block: string): Promise<LoadBalancer> {
  return run(port, (folder) => {
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (kind) => `${kind}_temp_path ${folder}/${kind};`,
    );
    const lines = [
      "daemon off;",
      `pid ${folder}/nginx.pid;`,
      "error_log stderr crit;",
      "events {}",
      "http {",
      "access_log off;",
      ...temporary,
      block,
      "}",
    ];
    return {
      configuration: lines.join("\n"),
      command: (file) => ["nginx", "-p", folder, "-c", file, "-e", "stderr"],
    };
  });
}

/** The same with HAProxy. */
export async function startHaproxy(servers: readonly number[]): Promise<LoadBalancer> {
  const { block, port } = await readBlock("haproxy", /(^ {2}server .*\n)+/m, "bind :8080", (listening) => ({
    servers: servers.map((server, index) => `  server madang-${index} 127.0.0.1:${server}\n`),
    listen: `bind 127.0.0.1:${listening}`,
  }));
  return run(port, () => ({ configuration: block, command: (file) => ["haproxy", "-q", "-db", "-f", file] }));
}

/** The configuration of the guide, with the ports of this run. */
async function readBlock(
  language: string,
  exampleServers: RegExp,
  exampleListen: string,
  replace: (port: number) => { readonly servers: readonly string[]; readonly listen: string },
) {
  const guide = await readFile(new URL("../../../../docs/guides/deploying.md", import.meta.url), "utf8");
  const [, block = ""] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(guide) ?? [];
  const port = await findFreePort();
  const { servers, listen } = replace(port);
  const configured = block.replace(exampleServers, servers.join("")).replace(exampleListen, listen);
  if (block === "" || /300\d|8080/.test(configured))
    throw new Error(`The guide has another configuration of ${language}.`);
  return { block: configured, port };
}

async function run(
  port: number,
  prepare: (folder: string) => { configuration: string; command: (file: string) => readonly string[] },
): Promise<LoadBalancer> {
  const folder = await mkdtemp(join(tmpdir(), "madang-balancer-"));
  // As root, nginx runs its workers as another user, which needs access.
  await chmod(folder, 0o755);
  const { configuration, command } = prepare(folder);
  const file = join(folder, "balancer.conf");
  await writeFile(file, configuration);
  const [program = "", ...options] = command(file);
  const child: ChildProcess = spawn(program, options, { stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  while (!(await canConnect(port)))
    if (child.exitCode !== null) throw new Error(`${program} ended before it listened.`);
  return {
    port,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
