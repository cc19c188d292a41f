#!/usr/bin/env node
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { intro, log, outro } from "@clack/prompts";
import { askForKey, askForTemplate } from "./ask.ts";
import { addComponents, createProject, templates } from "./copy.ts";

const help = `Creates a chat page on Madang that is yours to change.

  npm create madang my-chat                a new project
  npm create madang add src/chat           its components, in a project that exists (an app with Expo: --template expo)

  --template ${templates.join(" | ")}        asked for, otherwise ${templates[0]}
  --url URL                    where Madang is (default: MADANG_URL, http://127.0.0.1:3000)
  --key-file FILE              a file with an API key (default: MADANG_API_KEY, otherwise asked for)
  --packages FOLDER            packed packages to use instead of those of npm
`;

try {
  await run();
} catch (error) {
  log.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      template: { type: "string" },
      url: { type: "string", default: process.env.MADANG_URL ?? "http://127.0.0.1:3000" },
      "key-file": { type: "string" },
      packages: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [first, second] = positionals;
  if (values.help || first === undefined) return void process.stdout.write(help);
  const isAsking = process.stdin.isTTY === true;
  intro("Madang");
  if (first === "add") {
    const folder = second ?? "src/chat";
    const template = values.template ?? templates[0];
    await addComponents(folder, template);
    log.step(`The components are in ${folder}. They need these packages:`);
    log.message("npm install @madang/react @madang/client");
    if (template === "expo") log.message("npx expo install react-native-svg react-native-safe-area-context");
    log.step("Put them into a page, inside of <ChatProvider>:");
    const more = template === "expo" ? " language={language}" : "";
    return outro(`import { Chat } from "./chat/chat";\n<Chat place={place} onOpen={setPlace}${more} />`);
  }
  const template = values.template ?? (isAsking ? await askForTemplate() : templates[0]);
  const keyFile = values["key-file"];
  const key =
    keyFile === undefined
      ? (process.env.MADANG_API_KEY ?? (isAsking ? await askForKey(values.url) : ""))
      : (await readFile(keyFile, "utf8")).trim();
  await createProject({ folder: first, template, url: values.url, key, packages: values.packages });
  log.step(`The page is in ${first}. Next:`);
  log.message(`cd ${first}\nnpm install\nnpm run dev`);
  if (key === "") log.warn("Put an API key into .env: for a clone, it is in .madang/master-key.");
  outro("README.md there says what is where.");
}
