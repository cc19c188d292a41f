/** A JSON Schema, or a part of one. */
export type JsonSchema = { readonly [keyword: string]: unknown };

export interface ObjectSchema extends JsonSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

/** What a tool needs to know about an operation of the contract. */
export interface OperationData {
  /** The name of the SDK method, such as `messages.send`. */
  readonly id: string;
  readonly method: string;
  readonly summary: string;
  readonly description: string;
  /** Which keys may call it: any, only the master key, one whose scopes name it, or any whatever its scopes. */
  readonly access: string;
  /** Who may call it as a user. `no`: nobody. `self`: the user that the request names. */
  readonly user: string;
  /** The scopes with which a sub key may call it. */
  readonly scopes: readonly string[];
  readonly path: ObjectSchema;
  readonly query: ObjectSchema;
  readonly body?: JsonSchema;
  /** The types of the response. Absent if it has no body. */
  readonly response?: JsonSchema;
  readonly errors: readonly string[];
  /** The first example of the contract. */
  readonly example: { readonly path?: unknown; readonly query?: unknown; readonly body?: unknown };
}
