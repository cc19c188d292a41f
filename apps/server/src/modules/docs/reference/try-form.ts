import type { Parameter } from "@madang/contract";
import { type Html, html, nothing } from "../html";
import { type DescribedOperation, isStream } from "./described-operation";
import { firstExample, parameterExample } from "./http-samples";

/** A form that calls the operation on this server. It requires the page's script. A stream, which does not end, has none. */
export function tryForm(described: DescribedOperation): Html {
  if (isStream(described)) return nothing;
  const { id, method, path, operation, body } = described;
  const { parameters = [] } = operation;
  return html`<details class="try"><summary>Try it</summary>
<form data-method="${method}" data-path="${path}" aria-label="Try: ${operation.summary}">
${parameters.map((parameter) => parameterInput(id, parameter))}
${body === undefined ? nothing : bodyInput(described)}
<p><button type="submit">Send ${method}</button></p>
<div class="response" role="status" aria-live="polite"></div>
</form></details>`;
}

function parameterInput(id: string, parameter: Parameter): Html {
  const { name, in: location, required } = parameter;
  const value = location === "path" ? (parameterExample(parameter) ?? "") : "";
  const inputId = `${id}.try.${name}`;
  return html`<p><label for="${inputId}"><code>${name}</code> ${required ? "" : "(optional)"}</label>
<input id="${inputId}" name="${name}" data-in="${location}" value="${value}"${required ? html` required` : nothing} autocomplete="off" autocapitalize="none" spellcheck="false"></p>`;
}

function bodyInput(described: DescribedOperation): Html {
  const inputId = `${described.id}.try.body`;
  const example = firstExample(described);
  const text = example === undefined ? "" : JSON.stringify(example, undefined, 2);
  const rows = Math.max(2, text.split("\n").length);
  return html`<p><label for="${inputId}">Body (JSON)</label>
<textarea id="${inputId}" name="body" data-in="body" rows="${rows}" spellcheck="false">${text}</textarea></p>`;
}
