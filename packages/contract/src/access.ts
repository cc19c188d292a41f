/** What a server and a client must know of an operation beside its shapes. Carried as ts-rest route metadata. */
export interface OperationMetadata {
  /** Which credentials may call it. */
  readonly access: "any_key" | "master_key";
  /** Whether sending it twice leaves the same state as sending it once. */
  readonly idempotent: boolean;
  /** Whether it is an operation that the interface document does not show. */
  readonly extension: boolean;
}

export const anyKey = { access: "any_key", idempotent: true, extension: false } as const;
export const anyKeyOnce = { access: "any_key", idempotent: false, extension: false } as const;
export const masterKey = { access: "master_key", idempotent: true, extension: false } as const;
export const masterKeyOnce = { access: "master_key", idempotent: false, extension: false } as const;
export const extension = { access: "any_key", idempotent: true, extension: true } as const;
export const masterKeyExtension = { access: "master_key", idempotent: true, extension: true } as const;
export const extensionOnce = { access: "any_key", idempotent: false, extension: true } as const;
