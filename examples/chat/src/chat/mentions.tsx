import { type Participant, useMe } from "@madang/react";
import { type KeyboardEvent, type RefObject, useEffect, useId, useState } from "react";
import { Avatar, faceOf } from "./avatar";
import { useTexts } from "./texts";

interface MentionsView {
  readonly id: string;
  readonly found: readonly Participant[];
  readonly index: number;
  readonly onPick: (member: Participant) => void;
}

const maxShown = 6;

/** Completes a name after an @ in a text. */
export function useMentions(
  text: string,
  onChange: (text: string) => void,
  members: readonly Participant[],
  input: RefObject<HTMLTextAreaElement | null>,
) {
  const id = useId();
  const myId = useMe()?.user_id;
  const [index, setIndex] = useState(0);
  const [closedAt, setClosedAt] = useState<string>();
  const caret = input.current?.selectionStart ?? text.length;
  const [, typed] = /(?:^|\s)@([^@\n]{0,40})$/u.exec(text.slice(0, Math.max(caret, 0))) ?? [];
  const found =
    typed === undefined || closedAt === text
      ? []
      : members
          .filter(({ user_id, name }) => user_id !== myId && isBeginning(name, typed))
          .slice(0, maxShown);
  useEffect(() => setIndex(0), [typed]);

  function onPick({ name }: Participant): void {
    const start = caret - (typed?.length ?? 0);
    onChange(`${text.slice(0, start)}${name} ${text.slice(caret)}`);
    input.current?.focus();
  }

  /** Returns whether the list has used the key. */
  function onKeyDown(event: KeyboardEvent): boolean {
    const member = found[index];
    if (member === undefined) return false;
    if (event.key === "ArrowDown") setIndex((index + 1) % found.length);
    else if (event.key === "ArrowUp") setIndex((index + found.length - 1) % found.length);
    else if (event.key === "Enter" || event.key === "Tab") onPick(member);
    else if (event.key === "Escape") setClosedAt(text);
    else return false;
    event.preventDefault();
    return true;
  }

  const field =
    found.length === 0
      ? {}
      : ({
          "aria-autocomplete": "list",
          "aria-controls": id,
          "aria-activedescendant": `${id}${index}`,
        } as const);
  return { id, found, index, onPick, onKeyDown, field };
}

const isBeginning = (name: string, typed: string): boolean =>
  name
    .toLowerCase()
    .split(/\s/)
    .concat(name.toLowerCase())
    .some((word) => word.startsWith(typed.toLowerCase())) &&
  name.toLowerCase() !== typed.trimEnd().toLowerCase();

export function Mentions({ id, found, index, onPick }: MentionsView) {
  const texts = useTexts();
  if (found.length === 0) return null;
  return (
    <div id={id} className="chat-mentions" role="listbox" aria-label={texts.mention}>
      {found.map((member, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and handles the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus
        <div
          key={member.user_id}
          id={`${id}${place}`}
          role="option"
          aria-selected={place === index}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(member)}
        >
          <Avatar {...faceOf(member)} size={28} />
          {member.name}
        </div>
      ))}
    </div>
  );
}
