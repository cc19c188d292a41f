import type { Participant } from "@madang/react";
import type { ReactNode } from "react";
import { splitText } from "./text-parts";

interface RichTextProps {
  readonly text: string;
  readonly members: readonly Participant[];
  readonly mentions: readonly string[] | undefined;
}

/** A text with its links and mentions. Everything else in it is shown as it is. */
export function RichText({ text, members, mentions = [] }: RichTextProps): ReactNode {
  const names = members.filter(({ user_id }) => mentions.includes(user_id)).map(({ name }) => name);
  let start = 0;
  return splitText(text, names).map((part) => {
    const key = start;
    start += part.text.length;
    if (part.kind === "mention") return <b key={key}>{part.text}</b>;
    if (part.kind === "words") return part.text;
    return (
      <a key={key} href={part.text} target="_blank" rel="noreferrer noopener nofollow">
        {part.text}
      </a>
    );
  });
}
