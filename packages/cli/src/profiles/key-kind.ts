import { type CallOptions, type ChatClient, isApiError } from "@madang/client";

export type KeyKind = "master key" | "sub key";

/** Which kind of key the client has. Throws the error of a key that is not valid. */
export async function findKeyKind(chat: ChatClient, options: CallOptions): Promise<KeyKind> {
  try {
    await chat.keys.list(options);
    return "master key";
  } catch (error) {
    if (isApiError(error, "keys.list") && error.code === "master_key_required") return "sub key";
    throw error;
  }
}
