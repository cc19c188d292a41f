const address = /https?:\/\/[^\s<>"'`]+[^\s<>"'`.,;:!?)\]}]/gu;

/** What a user wrote, as text. Only addresses of web pages become links, and nothing is loaded before a click. */
export function UserText({ text }: { text: string }) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(address)) {
    parts.push(
      text.slice(end, match.index),
      <OutsideLink key={match.index} href={match[0]} text={match[0]} />,
    );
    end = match.index + match[0].length;
  }
  return (
    <span className="user-text">
      {parts}
      {text.slice(end)}
    </span>
  );
}

/** Addresses such as `javascript:` and `data:` stay text. */
export function OutsideLink({ href, text }: { href: string; text: string }) {
  const url = URL.parse(href);
  if (url === null || !/^https?:$/.test(url.protocol)) return <span className="user-text">{text}</span>;
  return (
    <a href={url.href} target="_blank" rel="noopener noreferrer nofollow" className="user-text">
      {text}
    </a>
  );
}

/** A name. It may consist of spaces or of characters that are not seen, so the id stands for it then. */
export function Name({ name, id }: { name: string; id: string }) {
  return <span className="user-text name">{/[^\s\p{Cf}\p{Cc}]/u.test(name) ? name : id}</span>;
}
