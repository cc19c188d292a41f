import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Messages of about 30 characters: half in Hangul, half in English. The same in every run. */
export interface Corpus {
  readonly texts: readonly string[];
  /** In many messages, and in about one of thousands. */
  readonly frequent: readonly string[];
  readonly medium: readonly string[];
  /** In no message, of the same syllables and letters. */
  readonly absent: readonly string[];
}

/** Terms that the benchmark adds to eleven messages. */
export const rare = ["쿼츠별빛", "zyxwvut", "ｶﾞﾗｽ製", "🦜🦜"];

const stemCount = 15_000;
const particles = "은 는 이 가 을 를 에 에서 으로 하고 합니다 해요 했어요 까지 부터 도".split(" ");

export function createCorpus(count: number): Corpus {
  const random = createRandom(7);
  const syllables = Array.from({ length: 1_200 }, () =>
    String.fromCharCode(0xac00 + Math.floor(random() * 11_172)),
  );
  const drawSyllable = zipf(syllables, 0.8, random);
  const drawStemOf = (length: number) => Array.from({ length }, drawSyllable).join("");
  const stems = Array.from({ length: stemCount }, () => drawStemOf(1 + Math.floor(random() * 3)));
  const drawStem = zipf(stems, 1, random);
  const words = readWords();
  const draw = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)];
  const korean = () =>
    Array.from({ length: 3 + Math.floor(random() * 5) }, () => `${drawStem()}${draw(particles)}`).join(" ");
  const english = () => Array.from({ length: 4 + Math.floor(random() * 8) }, () => draw(words)).join(" ");
  const texts = Array.from({ length: count }, () => (random() < 0.5 ? korean() : english()));
  const all = texts.join("\n").toLowerCase();
  const countOf = (term: string) => all.split(term).length - 1;
  const candidates = [
    ...stems.slice(0, 100),
    ...Array.from({ length: 400 }, () => stems[Math.floor(random() * stemCount)] ?? ""),
    ...Array.from({ length: 400 }, () => draw(words)?.toLowerCase().replace(/[.,?]/g, "") ?? ""),
  ].filter((term) => term.length > 1);
  const shares = candidates.map((term) => ({ term, share: countOf(term) / count }));
  const between = (min: number, max: number) =>
    [...new Set(shares.filter(({ share }) => share >= min && share < max).map(({ term }) => term))].slice(
      0,
      40,
    );
  const scrambled = () =>
    [
      ...(draw(words)
        ?.toLowerCase()
        .replace(/[^a-z]/g, "") ?? ""),
    ]
      .sort(() => random() - 0.5)
      .join("");
  const absent = Array.from({ length: 400 }, (_, index) =>
    index % 2 === 0 ? drawStemOf(2 + (index % 3)) : scrambled(),
  );
  return {
    texts,
    frequent: between(0.01, 1),
    medium: between(0.0001, 0.001),
    absent: [...new Set(absent)].filter((term) => term.length > 1 && countOf(term) === 0).slice(0, 60),
  };
}

/** The words of the pages of this project. */
function readWords(): string[] {
  const folder = fileURLToPath(new URL("../../docs/", import.meta.url));
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".md"),
  );
  const text = pages.sort().map((name) => readFileSync(folder + name, "utf8"));
  return text
    .join(" ")
    .split(/\s+/)
    .filter((word) => /^[A-Za-z][a-z']*[.,?]?$/.test(word));
}

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function zipf<Item>(items: readonly Item[], exponent: number, random: () => number): () => Item | undefined {
  let total = 0;
  const weights = items.map((_, index) => {
    total += 1 / (index + 1) ** exponent;
    return total;
  });
  return () => {
    const wanted = random() * total;
    let [low, high] = [0, items.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((weights[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return items[low];
  };
}
