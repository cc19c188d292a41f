import { foldInSteps } from "../../chat/names/fold";
import type { Position } from "../../paging/position";
import { runSteps } from "../../turns/in-slices";

/**
 * A block of consecutive messages of a channel has a signature: a Bloom filter of the sequences of one, two and three
 * characters (grams) in its texts, and of its senders. A search reads only the messages of the blocks whose signature
 * contains every gram of its terms. Its position is that of its newest message.
 */
interface SignedBlock extends Position {
  readonly signature: Buffer;
  readonly isComplete: boolean;
}

interface Signed extends Position {
  readonly text: string | null;
  /** Null in a system message. */
  readonly senderPk: number | null;
}

/** Blocks of other versions are read as if they had no signature. Folding depends on its code and on the Unicode version of Node. */
export const signatureVersion = 3_000 + Math.round(10 * Number.parseFloat(process.versions.unicode ?? "0"));

/** A block ends after this many messages, or after the message that reaches `maxGrams`. */
export const messagesPerBlock = 32;
const maxGrams = 4_000;
/** With 12 bits and five hashes per gram, 1 of 250 blocks without a gram is a false positive. */
const bitsPerGram = 12;
const hashesPerGram = 5;
const charactersPerStep = 1_024;
/** Keeps the row of a block within one page of PostgreSQL. */
const maxBytes = 7_500;

/** Divides consecutive messages, oldest first, into blocks. The last one may be incomplete. Lets requests run in between. */
export const signBlocks = (messages: readonly Signed[]): Promise<SignedBlock[]> =>
  runSteps(signInSteps(messages));

function* signInSteps(messages: readonly Signed[]): Generator<undefined, SignedBlock[]> {
  const blocks: SignedBlock[] = [];
  let grams = new Set<number>();
  let count = 0;
  for (const [index, message] of messages.entries()) {
    if (index > 0) yield;
    yield* addGrams(grams, yield* foldInSteps(message.text ?? ""));
    if (message.senderPk !== null) grams.add(senderGram(message.senderPk));
    count += 1;
    const isComplete = count === messagesPerBlock || grams.size >= maxGrams;
    if (!isComplete && index < messages.length - 1) continue;
    blocks.push({ createdAt: message.createdAt, pk: message.pk, signature: sign(grams), isComplete });
    grams = new Set();
    count = 0;
  }
  return blocks;
}

/** The number of bits of a signature that a search compares. */
export const probeCount = 24;

/**
 * The hashes whose bits a signature must have; the bit is the hash modulo the length of the signature. The most selective grams
 * come first. The list is padded to a fixed length, because the statement has one condition for each hash.
 */
export function probesOf(terms: readonly string[], senderPk: number | undefined): readonly number[] {
  const grams = new Set<number>(senderPk === undefined ? [] : [senderGram(senderPk)]);
  // Grams contain no white space, but a term can.
  const words = terms.flatMap((term) => term.split(" ").filter((word) => word !== ""));
  for (const size of [3, 2])
    for (const word of words)
      for (let at = 0; at + size <= word.length; at++) {
        const gram = size === 3 ? gramOfThree(word, at) : gramOfTwo(word, at);
        if (gram !== undefined) grams.add(gram);
      }
  for (const word of words) if (word.length === 1) grams.add(gramOfOne(word, 0));
  const hashes: number[] = [];
  for (let number = 0; number < hashesPerGram; number++)
    for (const gram of grams) hashes.push(hashOf(gram, number));
  return Array.from({ length: probeCount }, (_, index) => hashes[index % hashes.length] ?? 0);
}

/** Grams contain no white space: a search looks for the words of its terms. */
function* addGrams(grams: Set<number>, text: string): Generator<undefined, void> {
  for (let at = 0; at < text.length; at++) {
    if (at % charactersPerStep === charactersPerStep - 1) yield;
    if (isSpace(text, at)) continue;
    grams.add(gramOfOne(text, at));
    if (at + 1 >= text.length || isSpace(text, at + 1)) continue;
    grams.add(gramOfTwo(text, at));
    if (at + 2 >= text.length) continue;
    const gram = gramOfThree(text, at);
    if (gram !== undefined) grams.add(gram);
  }
}

function sign(grams: ReadonlySet<number>): Buffer {
  const signature = Buffer.alloc(Math.min(maxBytes, Math.ceil((grams.size * bitsPerGram) / 8)));
  const bits = 8 * signature.length;
  for (const gram of grams)
    for (let number = 0; number < hashesPerGram; number++) {
      const bit = hashOf(gram, number) % bits;
      signature[bit >>> 3] = (signature[bit >>> 3] ?? 0) | (1 << (bit & 7));
    }
  return signature;
}

/** Apart from a few rare characters, folding turns all white space into spaces. Grams with the rare ones only use bits. */
const isSpace = (text: string, at: number) => text.charCodeAt(at) === 0x20;

const gramOfOne = (text: string, at: number) => mix(text.charCodeAt(at));
const gramOfTwo = (text: string, at: number) =>
  mix((text.charCodeAt(at) << 16) ^ text.charCodeAt(at + 1) ^ 0x5bd1e995);

/** Undefined where two characters are selective enough: from U+1100 (Hangul) on, scripts have many characters. */
function gramOfThree(text: string, at: number): number | undefined {
  const [one, two, three] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
  if (one >= 0x1100 || two >= 0x1100 || three >= 0x1100) return undefined;
  return mix(mix((one << 16) ^ two) ^ three);
}

const senderGram = (senderPk: number) => mix(mix(senderPk | 0) ^ Math.trunc(senderPk / 2 ** 32) ^ 0x2545f491);

/** Double hashing: two hashes of a gram give all others. */
const hashOf = (gram: number, number: number) => (gram >>> 0) + number * ((mix(gram) | 1) >>> 0);

/** The finalizer of MurmurHash3. */
function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
