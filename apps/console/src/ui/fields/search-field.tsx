import { limits } from "@madang/contract/limits";
import { useEffect, useId, useRef, useState } from "react";
import { Icon } from "../texts/icon";

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Shown below the field. */
  readonly hint?: string;
  /** Why the value cannot be used. Shown in place of the hint. */
  readonly error?: string | undefined;
  /** Whether it is one of several filters: they do not show that `/` leads to the first of them. */
  readonly isFilter?: boolean;
}

const pauseMs = 250;
let isNextFocused = false;

/** Focuses the field of the page that opens next. */
export function focusNextSearchField(): void {
  isNextFocused = true;
}

/** Reports what is typed when the typing pauses. */
export function SearchField({ label, value, onChange, hint, error, isFilter = false }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const reported = useRef(value);
  const field = useRef<HTMLInputElement>(null);
  const noteId = useId();
  const note = error ?? hint;
  useEffect(() => {
    if (isNextFocused) field.current?.focus();
    isNextFocused = false;
  }, []);
  // Back and forward change it, too.
  useEffect(() => {
    if (value !== reported.current) setText(value);
    reported.current = value;
  }, [value]);
  useEffect(() => {
    if (text === reported.current) return;
    const timer = setTimeout(() => {
      reported.current = text;
      onChange(text);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text, onChange]);
  return (
    <search className="search-field">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        aria-label={label}
        aria-invalid={error !== undefined}
        aria-describedby={note === undefined ? undefined : noteId}
        placeholder={label}
        maxLength={limits.channelName.maxLength}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {!isFilter && (
        <span className="key" aria-hidden="true">
          /
        </span>
      )}
      {note !== undefined && (
        <p id={noteId} className={error === undefined ? "field-hint" : "field-hint form-error"}>
          {note}
        </p>
      )}
    </search>
  );
}
