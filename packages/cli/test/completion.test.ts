import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder } from "./support/folder";
import { runInMemory } from "./support/memory-io";

const folder = createFolder();
const program = join(import.meta.dirname, "../dist/main.js");
writeFileSync(join(folder, "madang"), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
chmodSync(join(folder, "madang"), 0o755);

/** Runs a script in a shell that finds `madang`. */
function runShell(shell: string, flags: readonly string[], script: string): string {
  const env = {
    PATH: [folder, process.env.PATH].join(delimiter),
    HOME: folder,
    TERM: "xterm",
    LC_ALL: "C.UTF-8",
  };
  const { stdout, stderr, status } = spawnSync(shell, [...flags, script], {
    env,
    encoding: "utf8",
    cwd: folder,
  });
  if (status !== 0) throw new Error(`${shell} exited with ${status}: ${stderr}${stdout}`);
  return stdout;
}

const isMissing = (shell: string) => spawnSync(shell, ["--version"]).status !== 0;

async function complete(...words: string[]): Promise<string[]> {
  const { stdout } = await runInMemory(["complete", "--", ...words]);
  return stdout
    .split("\n")
    .map((line) => line.split("\t")[0] ?? "")
    .filter((word) => word !== "");
}

describe("what can follow", () => {
  test.each([
    [["use"], ["users"]],
    [
      ["users", "de"],
      ["delete", "devices"],
    ],
    [["channels", "members", "j"], ["join"]],
    [
      ["--json", "users", "de"],
      ["delete", "devices"],
    ],
    [
      ["--profile", "users", "users", "de"],
      ["delete", "devices"],
    ],
    [["users", "list", "--li"], ["--limit"]],
    [["users", "list", "--pr"], ["--profile"]],
    [
      ["messages", "send", "room_1", "kim_01", "--type", ""],
      ["text", "file", "system"],
    ],
    [
      ["channels", "freeze", "room_1", ""],
      ["true", "false"],
    ],
    [
      ["completion", ""],
      ["bash", "zsh", "fish"],
    ],
    [["tail", "--types", "message.c"], ["message.created"]],
    [["tail", "--types", "user.created,message.c"], ["user.created,message.created"]],
    [["users", "get", ""], []],
    [["nothing", "such"], []],
  ])("%j is %j", async (words, expected) => {
    expect(await complete(...words)).toEqual(expected);
  });

  test.each([[["--profile", ""]], [["profiles", "use", ""]], [["profiles", "delete", ""]]])(
    "%j are the profiles",
    async (words) => {
      const config = join(folder, "config");
      mkdirSync(join(config, "madang"), { recursive: true });
      const profiles = {
        prod: { url: "http://127.0.0.1", key: "k" },
        staging: { url: "http://127.0.0.1", key: "k" },
      };
      writeFileSync(join(config, "madang/profiles.json"), JSON.stringify({ profiles }), { mode: 0o600 });
      const env = { XDG_CONFIG_HOME: config };
      const { stdout } = await runInMemory(["complete", "--", ...words], { env });
      expect(stdout).toBe("prod\t\nstaging\t\n");
      const started = await runInMemory(["complete", "--", ...words.slice(0, -1), "st"], { env });
      expect(started.stdout).toBe("staging\t\n");
    },
  );

  test("has every command at the start, and no hidden one", async () => {
    const words = await complete("");
    expect(words).toContain("login");
    expect(words).not.toContain("complete");
  });
});

// A shell that is not installed is skipped.
test.skipIf(isMissing("bash"))("bash completes", () => {
  const script = `source <(madang completion bash)
    COMP_WORDS=(madang users de) COMP_CWORD=2; _madang; echo "\${COMPREPLY[@]}"
    COMP_WORDS=(madang completion "") COMP_CWORD=2; _madang; echo "\${COMPREPLY[@]}"
    complete -p madang`;
  expect(runShell("bash", ["--norc", "-c"], script)).toBe(
    "delete devices\nbash zsh fish\ncomplete -o default -F _madang madang\n",
  );
});

test.skipIf(isMissing("fish"))("fish completes, with descriptions", () => {
  const script =
    'madang completion fish | source; complete -C "madang users dele"; complete -C "madang completion "';
  expect(runShell("fish", ["--no-config", "-c"], script)).toBe("delete\tDelete a user\nbash\nfish\nzsh\n");
});

test.skipIf(isMissing("zsh"))("zsh completes", () => {
  // An interactive zsh in a pseudo terminal. Each wait ends when the text has appeared.
  const script = `zmodload zsh/zpty
    wait_for() {
      local line
      repeat 300; do
        while zpty -rt shell line; do seen+=$line; done
        [[ $seen == *$1* ]] && return
        sleep 0.1
      done
      print -r -- "$seen"; exit 1
    }
    zpty -b shell zsh -f -i
    zpty -w shell "bindkey -e; autoload -U compinit; compinit -u -D; source <(madang completion zsh); print -r RE''ADY"
    wait_for READY
    zpty -w -n shell $'madang users dele\\t'
    wait_for 'users delete'
    zpty -w -n shell $'\\x01print -r RE\\'\\'SULT \\n'
    wait_for $'RESULT madang users delete\\r'
    zpty -d shell`;
  expect(runShell("zsh", ["-f", "-c"], script)).toBe("");
});
