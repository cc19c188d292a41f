/** How a field is written on a command line. */
export type FieldKind =
  | "string"
  | "integer"
  | "number"
  | "boolean"
  /** Milliseconds, or a date. */
  | "time"
  /** `key=value`, repeated. */
  | "map"
  /** Several values. */
  | "strings"
  /** An object whose fields are options of their own, such as `--file-url`. */
  | "object"
  | "json";

/** A parameter or a body field of an operation. */
export interface FieldData {
  readonly name: string;
  readonly description: string;
  readonly kind: FieldKind;
  readonly required: boolean;
  readonly choices?: readonly string[];
  /** `null` is a value, too. */
  readonly nullable?: true;
  /** The value that follows from another field that is given: a message with `content` is a text. */
  readonly impliedBy?: Readonly<Record<string, string>>;
  /** An id that some forms of the body require and others do not have: a system message has no `user_id`. */
  readonly isOptionalArgument?: true;
  /** The id of a user or channel, or several: an application may have others, such as e-mail addresses. */
  readonly isOwnId?: true;
  /** It holds a key: it is read from a prompt or from standard input. */
  readonly secret?: true;
  /** A secret of some forms of the body: the values of the field that tells them apart. */
  readonly onlyIf?: Readonly<Record<string, readonly string[]>>;
  /** The fields of an object. */
  readonly fields?: readonly FieldData[];
  readonly min?: number;
  readonly max?: number;
}

/** What a command needs to know about an operation of the contract. */
export interface OperationData {
  /** The name of the SDK method, such as `users.meta.merge`. */
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly method: string;
  readonly masterKeyOnly: boolean;
  readonly path: readonly FieldData[];
  readonly query: readonly FieldData[];
  readonly body: readonly FieldData[];
  /** The arguments that send the first example of the contract. */
  readonly example: readonly string[];
}

/** The values of options, by the names that the parser gives them. */
export type Options = Readonly<Record<string, unknown>>;
