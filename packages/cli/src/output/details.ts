import { formatValue } from "./format-value";
import { fit, widthOf } from "./width";

/** One resource as text: a line for each field. The fields of an object follow it, indented. */
export function formatDetails(value: object, indent = ""): string {
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const width = Math.max(0, ...fields.map(([name]) => widthOf(name)));
  return fields
    .map(([name, field]) => {
      if (isResource(field)) return `${indent}${name}\n${formatDetails(field, `${indent}  `)}`;
      return `${`${indent}${fit(name, width)}  ${formatValue(name, field)}`.trimEnd()}\n`;
    })
    .join("");
}

/** An object with fields of several kinds. Metadata has only texts and fits on a line. */
function isResource(value: unknown): value is object {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).some((field) => typeof field !== "string")
  );
}
