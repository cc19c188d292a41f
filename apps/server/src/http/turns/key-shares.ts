import type { Response } from "express";
import type { Caller } from "../auth/caller";
import { localsOf } from "../locals";

/** Counts what each key uses of something that all requests of the process share. */
export class KeyShares {
  #total = 0;
  readonly #amounts = new Map<string, number>();

  get total(): number {
    return this.#total;
  }

  of(key: string): number {
    return this.#amounts.get(key) ?? 0;
  }

  /** Adds an amount to that of a key, or gives a negative one back. */
  add(key: string, amount: number): void {
    this.#total += amount;
    const own = this.of(key) + amount;
    if (own === 0) this.#amounts.delete(key);
    else this.#amounts.set(key, own);
  }
}

/** The name of the key of a request. It has none before authentication. */
export const callerNameOf = (response: Response): string => nameCaller(localsOf(response).caller);

const userPrefix = "user ";

/** Whether the name of a caller is that of a user. */
export const isUser = (key: string): boolean => key.startsWith(userPrefix);

/** All tokens and keys of a user share one name. */
export function nameCaller(caller: Caller | undefined): string {
  if (caller?.kind === "user") return userPrefix + caller.userPk;
  return caller?.kind === "sub" ? `sub ${caller.id}` : (caller?.kind ?? "none");
}
