import { limits } from "./limits";

/** A named value for the documentation. A test checks each one against the contract. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/** What a client may send and what the server responds with. Operations without a body leave the part out. */
export interface OperationExamples {
  readonly query?: Readonly<Record<string, string>>;
  readonly requests?: Readonly<Record<string, Example>>;
  readonly responses?: Readonly<Record<string, Example>>;
}

/** What a server and a client must know about an operation besides its schemas. Carried as ts-rest route metadata. */
export interface OperationMetadata {
  /** Which keys may call it. */
  readonly access: "any_key" | "master_key";
  /** Whether sending the request twice leaves the same state as sending it once. */
  readonly idempotent: boolean;
  /** Whether the interface document does not show the operation. */
  readonly extension: boolean;
  /** The operation that this one repeats without a body, for proxies that drop the body of a DELETE. */
  readonly variantOf?: string;
  /** How large the body may be, in bytes. */
  readonly maxBodyBytes: number;
  readonly examples: OperationExamples;
}

const defaults: OperationMetadata = {
  access: "any_key",
  idempotent: true,
  extension: false,
  maxBodyBytes: limits.bodyBytes,
  examples: {},
};

/** Fills in the defaults: sub keys may call the operation, it is idempotent, and the interface document shows it. */
export function metadata(own: Partial<OperationMetadata> = {}): OperationMetadata {
  return { ...defaults, ...own };
}

/** The only example of its kind. */
export function example(summary: string, value: unknown): Readonly<Record<string, Example>> {
  return { default: { summary, value } };
}
