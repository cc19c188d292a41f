import { type ReactNode, useId } from "react";

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly children: (id: string) => ReactNode;
}

export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {hint !== undefined && <p className="field-hint">{hint}</p>}
    </div>
  );
}

/** The values of a field that holds several, separated by commas or white space. */
export function splitList(text: FormDataEntryValue | null): string[] {
  return String(text ?? "")
    .split(/[\s,]+/)
    .filter(Boolean);
}
