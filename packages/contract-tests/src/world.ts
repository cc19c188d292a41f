import type { OperationId } from "@madang/contract";
import type { Request } from "./request";

/** When everything of a world came to be, unless it says otherwise, and when the request of the interaction is sent. */
export const worldTime = 1_700_000_000_000;
export const requestTime = worldTime + 60_000;

/** What exists before a request is sent. Whoever replays an interaction puts it into place in this order. */
export interface World {
  /** Settings of the server that differ from the usual ones. */
  readonly settings?: Settings;
  readonly users?: readonly NewUser[];
  readonly channels?: readonly NewChannel[];
  readonly messages?: readonly NewMessage[];
  /** Many messages of one sender, a second apart; the last one at `worldTime`. */
  readonly history?: { readonly channel_id: string; readonly user_id: string; readonly count: number };
  /** How many sub keys exist. */
  readonly subKeys?: number;
  /** Whether there was one more, which was deleted. */
  readonly hadSubKey?: true;
  /** Users who are deleted in the end, after all they did. */
  readonly deletedUsers?: readonly string[];
  readonly deletedChannels?: readonly string[];
  /** An answer received before: its `next` is what `stand-ins` speak of. */
  readonly page?: { readonly operation: OperationId } & Pick<Request, "params" | "query">;
}

export interface Settings {
  readonly userList?: "reference";
  readonly keyHeaders?: readonly string[];
}

export interface NewUser {
  readonly user_id: string;
  readonly name: string;
  readonly profile_url?: string;
  readonly meta?: Readonly<Record<string, string>>;
  readonly at?: number;
}

export interface NewChannel {
  readonly channel_id: string;
  readonly name: string;
  readonly profile_url?: string;
  readonly meta?: Readonly<Record<string, string>>;
  /** In the order in which they joined, a millisecond apart. */
  readonly members?: readonly string[];
  readonly managers?: readonly string[];
  /** Who joined and left, and who was a manager and is none. */
  readonly formerMembers?: readonly string[];
  readonly formerManagers?: readonly string[];
  readonly frozen?: boolean;
  readonly at?: number;
}

export interface NewMessage {
  readonly channel_id: string;
  readonly user_id: string;
  readonly content?: string;
  readonly file?: {
    readonly type: string;
    readonly name: string;
    readonly url: string;
    readonly size: number;
  };
  readonly meta?: Readonly<Record<string, string>>;
  readonly at?: number;
}
