import { hash } from "node:crypto";

/**
 * A number for each id, in 24 MB for a million of them: a hash table of the first 64 bits of their SHA-256. Of ten million
 * ids, two have the same bits with a probability of 1 : 370,000.
 */
export class IdIndex {
  #count = 0;
  #hashes = new BigUint64Array(1 << 10);
  #numbers = new Uint32Array(1 << 10);

  get size(): number {
    return this.#count;
  }

  get(id: string): number | undefined {
    const at = this.#find(hashOf(id));
    return this.#hashes[at] === 0n ? undefined : this.#numbers[at];
  }

  /** Adds an id, or replaces its number. */
  add(id: string, number: number): void {
    if (2 * this.#count >= this.#hashes.length) this.#grow();
    const hash = hashOf(id);
    const at = this.#find(hash);
    if (this.#hashes[at] === 0n) this.#count += 1;
    this.#set(at, hash, number);
  }

  #find(hash: bigint): number {
    const mask = this.#hashes.length - 1;
    let at = Number(hash & BigInt(mask));
    while (this.#hashes[at] !== 0n && this.#hashes[at] !== hash) at = (at + 1) & mask;
    return at;
  }

  #set(at: number, hash: bigint, number: number): void {
    this.#hashes[at] = hash;
    this.#numbers[at] = number;
  }

  #grow(): void {
    const [hashes, numbers] = [this.#hashes, this.#numbers];
    this.#hashes = new BigUint64Array(2 * hashes.length);
    this.#numbers = new Uint32Array(2 * numbers.length);
    for (const [index, hash] of hashes.entries())
      if (hash !== 0n) this.#set(this.#find(hash), hash, numbers[index] ?? 0);
  }
}

function hashOf(text: string): bigint {
  const bits = hash("sha256", text, "buffer").readBigUInt64LE();
  // 0 marks a free entry.
  return bits === 0n ? 1n : bits;
}
