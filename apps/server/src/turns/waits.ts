/** How long a request may still wait for its turns, for all of them together. Waits at the same time count once. */
export class Waits {
  #leftMs: number;
  #waiting = 0;
  #waitingSince = 0;

  constructor(maxMs: number) {
    this.#leftMs = maxMs;
  }

  get leftMs(): number {
    const current = this.#waiting > 0 ? performance.now() - this.#waitingSince : 0;
    return Math.max(0, this.#leftMs - current);
  }

  begin(): void {
    if (this.#waiting === 0) this.#waitingSince = performance.now();
    this.#waiting += 1;
  }

  end(): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#leftMs -= performance.now() - this.#waitingSince;
  }
}
