import type { CallOptions, ChatClient } from "@madang/client";
import type { ToolAnnotations } from "@modelcontextprotocol/server";
import type { JsonSchema, OperationData } from "./operation";
import type { Format, Outcome } from "./result";
import type { Rights } from "./rights";

/** What a tool works with. */
export interface Context {
  readonly chat: ChatClient;
  readonly rights: Rights;
  /** The limits of the call, and who it is for: the audit log names the agent and the tool. */
  readonly options: CallOptions;
  readonly format: Format;
}

export type Arguments = Readonly<Record<string, unknown>>;

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** It is listed if the key may call one of them. Its annotations and the types of its result follow from them. */
  readonly operations: readonly string[];
  readonly input: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
  /** The argument that names the user of a user's key. It is then not required, and filled in. */
  readonly self?: string;
  run(context: Context, args: Arguments): Promise<Outcome>;
}

/** What clients show about a tool before they run it. */
export function annotationsOf(title: string, operations: readonly OperationData[]): ToolAnnotations {
  const methods = operations.map(({ method }) => method);
  return {
    title,
    readOnlyHint: methods.every((method) => method === "GET"),
    destructiveHint: methods.includes("DELETE"),
    idempotentHint: methods.every((method) => method !== "POST"),
    openWorldHint: false,
  };
}
