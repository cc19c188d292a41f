import { useEffect, useRef, useState } from "react";
import { Icon } from "./icon";

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Whether it is one of several filters, and not the field that `/` leads to. */
  readonly isFilter?: boolean;
}

const pauseMs = 250;

/** Reports what is typed when the typing pauses. */
export function SearchField({ label, value, onChange, isFilter = false }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const reported = useRef(value);
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
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={150}
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
    </search>
  );
}
