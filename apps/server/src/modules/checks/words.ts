import { foldWithPlaces } from "../../chat/names/fold";
import { foldForWords, type Range, type Search } from "./search";

/**
 * Finds words in one pass over a text, however many they are (Aho and Corasick). Words and text are compared folded, with a run of white
 * space as one space. Undefined: one of the words is nothing but invisible characters and `*`.
 */
export function searchWords(words: readonly string[]): Search | undefined {
  const tree = new WordTree();
  for (const word of words) {
    const [, before = "", middle = "", after = ""] = /^(\**)(.*?)(\**)$/su.exec(word) ?? [];
    const text = foldForWords(middle).trim();
    if (text === "") return undefined;
    tree.add(text, { continuesBefore: before !== "", continuesAfter: after !== "" });
  }
  tree.link();
  return {
    finds: (text) => tree.find(text.folded, () => true),
    async locate(text) {
      const { folded, starts, ends } = joinSpacesWithPlaces(text.original);
      let found: ReturnType<typeof findBoundaries> | undefined;
      const boundaries = () => {
        found ??= findBoundaries(folded);
        return found;
      };
      const ranges: Range[] = [];
      tree.find(folded, (start, end, { continuesBefore, continuesAfter }) => {
        const first = continuesBefore ? boundaries().lastBefore(start) : start;
        const last = continuesAfter ? boundaries().firstAfter(end) : end;
        ranges.push({ start: starts[first] ?? 0, end: ends[last - 1] ?? 0 });
        return false;
      });
      return ranges;
    },
  };
}

function joinSpacesWithPlaces(text: string) {
  const { folded, starts, ends } = foldWithPlaces(text);
  const joined = folded.replace(/\p{White_Space}+/gu, " ");
  if (joined.length === folded.length) return { folded: joined, starts, ends };
  const isSpace = (at: number) => /\p{White_Space}/u.test(folded.charAt(at));
  return {
    folded: joined,
    starts: starts.filter((_, at) => !(isSpace(at) && at > 0 && isSpace(at - 1))),
    ends: ends.filter((_, at) => !(isSpace(at) && isSpace(at + 1))),
  };
}

/** The nearest boundaries of each position. They are computed once for the text, which may have a match at every character. */
function findBoundaries(text: string) {
  const before = new Uint32Array(text.length + 1);
  const after = new Uint32Array(text.length + 1);
  for (let at = 1; at <= text.length; at++) before[at] = isBoundary(text, at) ? at : (before[at - 1] ?? 0);
  for (let at = text.length; at >= 0; at--) after[at] = before[at] === at ? at : (after[at + 1] ?? at);
  return {
    lastBefore: (at: number) => before[at] ?? at,
    firstAfter: (at: number) => after[at] ?? at,
  };
}

interface Continuation {
  readonly continuesBefore: boolean;
  readonly continuesAfter: boolean;
}

/** Each node is the beginning of a word. The root is 0. */
class WordTree {
  /** The child of a node, by `keyOf`. */
  readonly #children = new Map<number, number>();
  readonly #depths = [0];
  /** The words that end at a node: a bit for each of the four ways in which they continue. */
  readonly #words = [0];
  /** The node of the longest end of this one that is a beginning of a word too, and the nearest one of these that is a whole word. */
  readonly #shorter = [0];
  readonly #shorterWord = [0];
  readonly #parents = [{ parent: 0, code: 0 }];

  add(word: string, { continuesBefore, continuesAfter }: Continuation): void {
    let node = 0;
    for (let at = 0; at < word.length; at++) {
      const code = word.charCodeAt(at);
      const key = keyOf(node, code);
      const child = this.#children.get(key) ?? this.#depths.length;
      if (child === this.#depths.length) {
        this.#children.set(key, child);
        this.#depths.push(at + 1);
        this.#words.push(0);
        this.#shorter.push(0);
        this.#shorterWord.push(0);
        this.#parents.push({ parent: node, code });
      }
      node = child;
    }
    this.#words[node] =
      (this.#words[node] ?? 0) | (1 << (Number(continuesBefore) + 2 * Number(continuesAfter)));
  }

  /** Called once, after the last word. */
  link(): void {
    const byDepth = this.#depths
      .map((_, node) => node)
      .sort((one, other) => this.#depth(one) - this.#depth(other));
    for (const node of byDepth) {
      const { parent, code } = this.#parents[node] ?? { parent: 0, code: 0 };
      if (this.#depth(node) > 1) this.#shorter[node] = this.#follow(this.#shorter[parent] ?? 0, code);
      const shorter = this.#shorter[node] ?? 0;
      this.#shorterWord[node] = this.#words[shorter] === 0 ? (this.#shorterWord[shorter] ?? 0) : shorter;
    }
    this.#parents.length = 0;
  }

  /**
   * Calls `onWord` with each match, in the order of their ends, until it returns true. Returns whether it did. If several words match
   * there, the match continues where any of them does.
   */
  find(text: string, onWord: (start: number, end: number, word: Continuation) => boolean): boolean {
    let node = 0;
    for (let at = 0; at < text.length; at++) {
      node = this.#follow(node, text.charCodeAt(at));
      let word = this.#words[node] === 0 ? (this.#shorterWord[node] ?? 0) : node;
      for (; word !== 0; word = this.#shorterWord[word] ?? 0) {
        const end = at + 1;
        const start = end - this.#depth(word);
        const fitting = fittingWords(text, start, end, this.#words[word] ?? 0);
        if (fitting === 0) continue;
        const continuation = {
          continuesBefore: (fitting & 0b1010) !== 0,
          continuesAfter: (fitting & 0b1100) !== 0,
        };
        if (onWord(start, end, continuation)) return true;
      }
    }
    return false;
  }

  #follow(from: number, code: number): number {
    for (let node = from; ; node = this.#shorter[node] ?? 0) {
      const child = this.#children.get(keyOf(node, code));
      if (child !== undefined) return child;
      if (node === 0) return 0;
    }
  }

  #depth(node: number): number {
    return this.#depths[node] ?? 0;
  }
}

/** Those of the words, one bit each, whose boundaries fit this match. */
function fittingWords(text: string, start: number, end: number, words: number): number {
  const isBegin = isBoundary(text, start);
  const isEnd = isBoundary(text, end);
  return words & (0b1000 | (isBegin && isEnd ? 0b0001 : 0) | (isEnd ? 0b0010 : 0) | (isBegin ? 0b0100 : 0));
}

/** Characters are less than 2 ** 16. */
const keyOf = (node: number, code: number) => node * 2 ** 16 + code;

/** Whether no word continues from one character to the next. */
function isBoundary(text: string, at: number): boolean {
  if (at === 0 || at === text.length) return true;
  if (isLowSurrogate(text, at)) return false;
  return !(isPartOfWord(text, at) && isPartOfWord(text, at - (isLowSurrogate(text, at - 1) ? 2 : 1)));
}

const isLowSurrogate = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

const isPartOfWord = (text: string, at: number) =>
  /[\p{L}\p{M}\p{N}_]/u.test(String.fromCodePoint(text.codePointAt(at) ?? 0));
