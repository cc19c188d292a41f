/** Initials on a colour that follows from the id. Images of users are never loaded: they would tell others who reads. */
export function Avatar({ id, name }: { id: string; name: string }) {
  return (
    <span className={`avatar hue-${hueOf(id)}`} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

const hues = 12;

function hueOf(id: string): number {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return hash % hues;
}

const graphemes = new Intl.Segmenter();

function initialsOf(name: string): string {
  const words = name.split(/[\s_.-]+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const [first = "", second = ""] = words.map(
    (word) => graphemes.segment(word)[Symbol.iterator]().next().value?.segment,
  );
  // One syllable of Hangul or one ideograph fills the circle.
  return /^[\p{sc=Hangul}\p{sc=Han}]/u.test(first) ? first : (first + second).toLocaleUpperCase();
}
