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
    locate(text) {
      const { folded, starts, ends } = joinSpacesWithPlaces(text.original);
      const ranges: Range[] = [];
      tree.find(folded, (start, end) => {
        ranges.push({ start: starts[start] ?? 0, end: ends[end - 1] ?? 0 });
        return false;
      });
      return ranges;
    },
  };
}

function joinSpacesWithPlaces(text: string) {
  const { folded, starts, ends } = foldWithPlaces(text);
  const joined = { folded: "", starts: [] as number[], ends: [] as number[] };
  for (let at = 0; at < folded.length; at++) {
    const isSpace = /\p{White_Space}/u.test(folded.charAt(at));
    if (isSpace && joined.folded.endsWith(" ")) {
      joined.ends.pop();
    } else {
      joined.folded += isSpace ? " " : folded.charAt(at);
      joined.starts.push(starts[at] ?? 0);
    }
    joined.ends.push(ends[at] ?? 0);
  }
  return joined;
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

  /** Calls `onWord` with each place of a word, in the order of their ends, until it returns true. Returns whether it did. */
  find(text: string, onWord: (start: number, end: number) => boolean): boolean {
    let node = 0;
    for (let at = 0; at < text.length; at++) {
      node = this.#follow(node, text.charCodeAt(at));
      let word = this.#words[node] === 0 ? (this.#shorterWord[node] ?? 0) : node;
      for (; word !== 0; word = this.#shorterWord[word] ?? 0) {
        const end = at + 1;
        const start = end - this.#depth(word);
        if (this.#fits(text, start, end, this.#words[word] ?? 0) && onWord(start, end)) return true;
      }
    }
    return false;
  }

  #fits(text: string, start: number, end: number, words: number): boolean {
    if (words & 0b1000) return true;
    const isBegin = isBoundary(text, start);
    const isEnd = isBoundary(text, end);
    return Boolean(
      (words & 0b0001 && isBegin && isEnd) || (words & 0b0010 && isEnd) || (words & 0b0100 && isBegin),
    );
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

/** Characters are less than 2 ** 16. */
const keyOf = (node: number, code: number) => node * 2 ** 16 + code;

/** Whether no word continues from one character to the next. */
function isBoundary(text: string, at: number): boolean {
  if (at === 0 || at === text.length) return true;
  return !(isPartOfWord(text, at) && isPartOfWord(text, at - (isLowSurrogate(text, at - 1) ? 2 : 1)));
}

const isLowSurrogate = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

const isPartOfWord = (text: string, at: number) =>
  /[\p{L}\p{M}\p{N}_]/u.test(String.fromCodePoint(text.codePointAt(at) ?? 0));
