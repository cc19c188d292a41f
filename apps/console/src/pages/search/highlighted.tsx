/** A line with the words of a search marked, where they are written as in the search. */
export function Highlighted({ text, query }: { text: string; query: string }) {
  const words = query
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  if (words.length === 0) return <span className="clip">{text}</span>;
  const parts = text.split(new RegExp(`(${words.join("|")})`, "iu"));
  return (
    <span className="clip">
      {parts.map((part, index) => (index % 2 === 1 ? <mark key={`${index}${part}`}>{part}</mark> : part))}
    </span>
  );
}
