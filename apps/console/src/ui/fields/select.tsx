import { Icon } from "../texts/icon";

interface SelectProps<Value extends string> {
  readonly label: string;
  /** Undefined: nothing is chosen yet, and the placeholder is shown. */
  readonly value: Value | undefined;
  readonly placeholder?: string;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

/** The select of the browser, which supports keyboards, phones and screen readers. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, value, placeholder, options, onChange } = props;
  return (
    <span className="select">
      <select
        className="button button-plain"
        aria-label={label}
        value={value ?? ""}
        onChange={({ target }) => {
          const chosen = options.find((option) => option.value === target.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
      >
        {value === undefined && (
          <option value="" disabled hidden>
            {placeholder}
          </option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="chevron" />
    </span>
  );
}
