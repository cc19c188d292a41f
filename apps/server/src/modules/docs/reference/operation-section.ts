import {
  type ErrorCode,
  errorHelp,
  errors,
  type OpenApiDocument,
  type Parameter,
  type UserRight,
} from "@madang/contract";
import { type Common, headerList, isChange, responseHeaders } from "../common";
import { codeBlock } from "../highlight";
import { type Html, html, nothing, prose } from "../html";
import type { DescribedOperation } from "./described-operation";
import { bodyFields, parameterFields } from "./fields";
import { curlSample, fetchSample } from "./http-samples";
import { tryForm } from "./try-form";

/** The section of one operation: its rules, and beside them the calls and the responses. */
export function operationSection(
  described: DescribedOperation,
  document: OpenApiDocument,
  common: Common,
): Html {
  const { id, method, path, operation } = described;
  return html`<section class="operation" id="${id}" aria-labelledby="${id}.title">
<div class="rules-column">
<h3 id="${id}.title"><a href="#${id}">${operation.summary}</a></h3>
<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
<ul class="badges">${badges(described)}</ul>
<p>${prose(operation.description)}</p>
${requestPart(described, document)}
${responsePart(described, document, common)}
${errorPart(described, common)}
</div>
<div class="calls-column">
${sampleList(described)}
${exampleResponses(described)}
${tryForm(described)}
</div>
</section>`;
}

function badges({ operation, method }: DescribedOperation): Html[] {
  return [
    ...(operation["x-madang-access"] === "master_key" ? [html`<li>Master key only</li>`] : []),
    html`<li>With a user's token: ${whoByRight[operation["x-madang-user"]]}</li>`,
    html`<li><a href="../docs#safe-to-repeat">${method === "POST" ? "Safe to repeat with a key" : "Safe to repeat"}</a></li>`,
  ];
}

const whoByRight: Readonly<Record<UserRight, string>> = {
  member: "participants and managers",
  self: "as oneself",
  author: "the sender, while it may send",
  author_or_manager: "the sender, and managers; in a frozen channel only managers",
  manager: "managers",
  no: "no",
};

function requestPart(described: DescribedOperation, document: OpenApiDocument): Html {
  const { operation, body, isBodyRequired } = described;
  const { parameters = [] } = operation;
  return html`${part("Path parameters", parameterFields(parameters, "path"))}
${part("In the query", parameterFields(parameters, "query"))}
${part("In the headers", parameterFields(parameters.filter(isOwnHeader), "header"))}
${body === undefined ? nothing : part(isBodyRequired ? "Body" : "Body (optional)", bodyFields(body.schema, { isRequest: true, document }))}`;
}

/** The introduction explains the header of changes. */
const isOwnHeader = ({ name }: Parameter) => name !== "Idempotency-Key";

function responsePart(described: DescribedOperation, document: OpenApiDocument, common: Common): Html {
  const { status, body } = described.success;
  const known = [...common.headers, ...common.changeHeaders];
  const own = responseHeaders(described).filter((name) => !known.includes(name));
  return html`<h4>Response ${status}</h4>
${body === undefined ? html`<p class="type">no body</p>` : responseFields(body, document)}
${own.length === 0 ? nothing : headerList(own, document)}`;
}

const responseFields = (
  { type, schema }: NonNullable<DescribedOperation["success"]["body"]>,
  document: OpenApiDocument,
) =>
  type === "application/json"
    ? bodyFields(schema, { isRequest: false, document })
    : html`<p class="type">${type}</p>`;

function errorPart(described: DescribedOperation, { errors: everywhere, changeErrors }: Common): Html {
  const known: readonly ErrorCode[] = isChange(described) ? [...everywhere, ...changeErrors] : everywhere;
  const own = described.errors.filter((code) => !known.includes(code));
  const entries = own.map(
    (code) =>
      html`<li><span class="status">${errors[code].status}</span> <a href="../docs#${code}"><code>${code}</code></a> <span>${prose(errorHelp[code].happened)}</span></li>`,
  );
  const all = html`<a href="../docs#common-errors">those of every operation</a>`;
  if (own.length === 0) return html`<h4>Errors</h4><p>Only ${all}.</p>`;
  return html`<h4>Errors</h4><ul class="errors">${entries}</ul><p>Besides ${all}.</p>`;
}

/** Samples to copy. The browser keeps at most one of the `details` with the same name open. */
function sampleList(described: DescribedOperation): Html {
  const [{ label, source }] = described.operation["x-codeSamples"];
  const samples = [
    { title: "curl", code: curlSample(described), language: "shell" as const },
    { title: label, code: source, language: "typescript" as const },
    { title: "fetch", code: fetchSample(described), language: "typescript" as const },
  ];
  return html`<h4>Samples</h4><div class="samples">${samples.map(
    ({ title, code, language }, index) =>
      html`<details name="${described.id}.calls"${index === 0 ? html` open` : nothing}><summary>${title}</summary>
<div class="sample">${codeBlock(code, language, `${described.operation.summary}, ${title}`)}</div></details>`,
  )}</div>`;
}

/** The example responses. The first one is open. */
function exampleResponses({ success, operation }: DescribedOperation): Html {
  const { status, body } = success;
  const examples = Object.values(body?.examples ?? {});
  if (examples.length === 0) return html`<h4>Example response ${status}</h4><p>No body.</p>`;
  const blocks = examples.map(({ summary, value }, index) => {
    const code = typeof value === "string" ? value.trimEnd() : JSON.stringify(value, undefined, 2);
    const block = codeBlock(code, "json", `${operation.summary}, response: ${summary}`);
    return html`<details${index === 0 ? html` open` : nothing}><summary>${summary}</summary><div class="sample">${block}</div></details>`;
  });
  return html`<h4>Example response ${status}</h4>${blocks}`;
}

function part(title: string, fields: Html): Html {
  return fields === nothing ? nothing : html`<h4>${title}</h4>${fields}`;
}
