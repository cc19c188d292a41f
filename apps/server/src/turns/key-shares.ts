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
