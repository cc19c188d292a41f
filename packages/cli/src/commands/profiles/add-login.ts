import { isChatError } from "@madang/client";
import type { Command } from "commander";
import { createClient, type Session } from "../../session";
import { CommandError, UsageError } from "../../terminal/exit-codes";
import { askSecret, askText, canAsk } from "../../terminal/prompts";
import { findKeyKind } from "./connection";
import { profilesPath, readProfiles, writeProfiles } from "./store";

const defaultUrl = "http://127.0.0.1:3000";

export function addLogin(program: Command, { io, options, output }: Session): void {
  program
    .command("login")
    .summary("Save the address and the key of a server")
    .description(
      "Asks for the address of a server and for a key, which is hidden while it is typed, tests both, and saves them as a profile that only you can read. The first profile is the current one; madang profiles use chooses another. Without a terminal, the key is the first line of standard input.",
    )
    .argument("[profile]", 'the name of the profile, "default" if omitted')
    .option("--url <address>", "the address of the server, instead of asking")
    .addHelpText(
      "after",
      "\nExample:\n  $ madang login\n  $ madang login staging --url https://chat.example.com < key.txt",
    )
    .action(async (given: string | undefined, { url: givenUrl }: { url?: string }) => {
      const name = given ?? options().profile ?? "default";
      const url = (givenUrl ?? (await askUrl(io))).replace(/\/+$/, "");
      await requireServer(url);
      const key = await askSecret(io, "Key");
      const chat = createClient(io, { baseUrl: url, apiKey: key }, options().debug);
      const kind = await findKeyKind(chat, { signal: io.signal });
      const { current = name, profiles } = await readProfiles(io.env);
      await writeProfiles(io.env, { current, profiles: { ...profiles, [name]: { url, key } } });
      output.note(`Saved the profile ${name}: a ${kind} of ${url}, in ${profilesPath(io.env)}`);
      if (current !== name)
        output.note(
          `Commands still use the profile ${current}. To use this one: madang profiles use ${name}`,
        );
      if (isSentInTheClear(url)) output.warn(`the key is sent to ${url} without encryption. Use https.`);
      const precedent = ["MADANG_URL", "MADANG_API_KEY"].filter((variable) => io.env[variable]);
      if (precedent.length > 0)
        output.warn(
          `the environment takes precedence over profiles. To use this one: unset ${precedent.join(" ")}`,
        );
    });

  /**
   * Throws before the key is asked for unless a Madang server responds at the address: it rejects a key that is none, or
   * says that there are too many requests. Another server may respond with 401 too, but without a code of Madang.
   */
  async function requireServer(baseUrl: string): Promise<void> {
    const chat = createClient(io, { baseUrl, apiKey: "none" }, options().debug);
    const error = await findKeyKind(chat, { signal: io.signal, maxRetries: 0 }).catch(
      (caught: unknown) => caught,
    );
    if (!isChatError(error) || error.code === "unauthenticated" || error.code === "rate_limited") return;
    if (error.kind === "abort") throw error;
    throw new CommandError(
      `No Madang server responds at ${baseUrl}. Correct the address, or start the server. ${error.detail ?? error.message}`,
    );
  }
}

function askUrl(io: Session["io"]): Promise<string> {
  if (!canAsk(io))
    throw new UsageError("There is no terminal to ask for the address of the server: add --url.");
  return askText(io, "Address of the server", defaultUrl);
}

function isSentInTheClear(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}
