import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "tsup";
import { install } from "../../../../../packages/client/robustness/install";
import type { Place } from "./page";

// Hermes 0.12 is the newest one with a program that npm has. It reads lines of JavaScript and prints.

const packages = [
  "hermes-engine-cli@0.12.0",
  "@babel/core@7.29.0",
  "@react-native/babel-preset@0.76.9",
  "abort-controller@3.0.0",
  "whatwg-fetch@3.6.20",
];

/** A line that Hermes prints for us. */
type Request =
  | { readonly type: "timeout" | "interval"; readonly id: number; readonly ms: number }
  | { readonly type: "forget"; readonly id: number }
  | {
      readonly type: "fetch";
      readonly id: number;
      readonly method: string;
      readonly url: string;
      readonly headers: Record<string, string>;
      readonly body: string | null;
    }
  | { readonly type: "result"; readonly shown?: string[]; readonly fault?: string };

/** Executes `runPage` with the packages that are installed in a folder, as Metro would bundle it, and returns what it has shown. */
export async function runPageInHermes(folder: string, place: Place): Promise<string[]> {
  const modules = await install("hermes", packages);
  const script = await bundle(folder, modules);
  const child = spawn(join(modules, "hermes-engine-cli/linux64-bin/hermes"), ["-w", "-prompt", ""], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const say = (name: string, ...values: unknown[]) =>
    child.stdin.write(`${name}(${values.map(toAscii).join()})\n`);
  const ends = new Map<number, () => void>();
  const send = async ({ id, method, url, headers, body }: Request & { type: "fetch" }) => {
    const controller = new AbortController();
    ends.set(id, () => controller.abort());
    try {
      const response = await fetch(url, { method, headers, body, signal: controller.signal });
      const lines = [...response.headers].map((header) => header.join(": "));
      say("receive", id, response.status, lines.join("\r\n"), await response.text());
    } catch {
      if (!controller.signal.aborted) say("receive", id, 0);
    }
  };
  say("eval", script);
  say("start", place);
  const others: string[] = [];
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.startsWith("@")) {
        others.push(line);
        continue;
      }
      const request: Request = JSON.parse(line.slice(1));
      if (request.type === "result") {
        if (request.shown !== undefined) return request.shown;
        throw new Error(request.fault);
      }
      if (request.type === "fetch") void send(request);
      else if (request.type === "forget") ends.get(request.id)?.();
      else {
        const { id, type, ms } = request;
        const timer = (type === "interval" ? setInterval : setTimeout)(() => say("receive", id), ms);
        ends.set(id, () => clearTimeout(timer));
      }
    }
    throw new Error(`Hermes has ended: ${others.join("\n")}`);
  } finally {
    for (const end of ends.values()) end();
    child.kill();
  }
}

/** One script, in the syntax that the preset of React Native leaves. */
async function bundle(folder: string, modules: string): Promise<string> {
  const outDir = join(folder, "hermes");
  await build({
    entry: { page: join(folder, "hermes-page.ts") },
    outDir,
    format: "iife",
    target: "es2022",
    noExternal: [/./],
    config: false,
    silent: true,
    esbuildOptions: (options) => {
      options.nodePaths = [modules];
    },
  });
  const require = createRequire(join(modules, "page.js"));
  const { transformSync } = require("@babel/core");
  const { code } = transformSync(readFileSync(join(outDir, "page.global.js"), "utf8"), {
    presets: [[require.resolve("@react-native/babel-preset"), { enableBabelRuntime: false }]],
    babelrc: false,
    configFile: false,
    compact: true,
    cwd: modules,
    filename: "page.js",
  });
  return code;
}

/** A value on one line of JavaScript, without the characters that end one. */
const toAscii = (value: unknown) =>
  JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
