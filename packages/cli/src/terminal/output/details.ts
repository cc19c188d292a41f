import { formatValue } from "./format-value";
import { toPlainText } from "./plain-text";
import { fit, widthOf } from "./width";

/** One resource as text: a line for each field that has a value. The fields of an object follow it, indented. */
export function formatDetails(value: object, indent = ""): string {
  const fields = Object.entries(value)
    .filter(([name, field]) => formatValue(name, field) !== "")
    .map(([name, field]): [string, unknown] => [toPlainText(name), field]);
  const width = Math.max(0, ...fields.map(([name]) => widthOf(name)));
  return fields
    .map(([name, field]) => {
      if (isResource(field)) return `${indent}${name}\n${formatDetails(field, `${indent}  `)}`;
      return `${indent}${fit(name, width)}  ${formatValue(name, field)}\n`;
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
