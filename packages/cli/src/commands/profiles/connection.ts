import type { CallOptions, ChatClient } from "@madang/client";
import { UsageError } from "../../terminal/exit-codes";
import type { Io } from "../../terminal/io";
import { readProfiles } from "./store";

export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Where they come from, as text. */
  readonly source: string;
  /** What a user does to replace each. */
  readonly remedies: { readonly url: string; readonly key: string };
}

/** Neither the environment nor a profile names a server. */
export class NoServerError extends UsageError {
  constructor() {
    super("No server is configured. Run: madang login. Or set MADANG_URL and MADANG_API_KEY.");
  }
}

/**
 * The URL and the key of a command. The environment takes precedence over the profiles. A key of a profile is only ever
 * sent to the URL of that profile.
 */
export async function findConnection(env: Io["env"], profileName: string | undefined): Promise<Connection> {
  const { MADANG_URL: url, MADANG_API_KEY: key } = env;
  if (profileName === undefined && url && key)
    return {
      baseUrl: url,
      apiKey: key,
      source: "MADANG_URL and MADANG_API_KEY",
      remedies: { url: "set MADANG_URL", key: setKey },
    };
  const { profiles, current } = await readProfiles(env);
  const name = profileName ?? current;
  const profile = name === undefined || !Object.hasOwn(profiles, name) ? undefined : profiles[name];
  if (profileName !== undefined && profile === undefined)
    throw new UsageError(`There is no profile ${JSON.stringify(profileName)}. Run: madang profiles`);
  if (profileName === undefined && url && url !== profile?.url)
    throw new UsageError("MADANG_URL is set and MADANG_API_KEY is not. Set both, or neither.");
  if (profile === undefined) throw new NoServerError();
  const source = `profile ${name}`;
  const login = `run: madang login ${name}`;
  if (profileName === undefined && key)
    return {
      baseUrl: profile.url,
      apiKey: key,
      source: `${source}, with MADANG_API_KEY`,
      remedies: { url: login, key: setKey },
    };
  return { baseUrl: profile.url, apiKey: profile.key, source, remedies: { url: login, key: login } };
}

/** The URL alone, for what is called with the keys of others. */
export async function findBaseUrl(env: Io["env"], profileName: string | undefined): Promise<string> {
  const { MADANG_URL: url } = env;
  return profileName === undefined && url ? url : (await findConnection(env, profileName)).baseUrl;
}

const setKey = "set MADANG_API_KEY";

/** Which kind of key the client has. Throws the error of a key that is not valid. */
export async function findKeyKind(chat: ChatClient, options: CallOptions): Promise<string> {
  const { kind } = await chat.keys.self(options);
  return `${kind} key`;
}
