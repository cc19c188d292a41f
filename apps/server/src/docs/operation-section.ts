import { errorHelp, type OpenApiDocument } from "@madang/contract";
import type { DescribedOperation } from "./described-operation";
import { parameterFields, requestFields } from "./fields";
import { type Html, html, nothing, prose } from "./html";
import { typeOf } from "./rules";
import { sampleList } from "./sample-list";
import { tryForm } from "./try-form";

/** The section of one operation. */
export function operationSection(described: DescribedOperation, document: OpenApiDocument): Html {
  const { id, method, path, operation } = described;
  return html`<section class="operation" id="${id}" aria-labelledby="${id}.title">
<h3 id="${id}.title"><a href="#${id}">${operation.summary}</a></h3>
<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
<ul class="badges">${badges(described)}</ul>
<p>${prose(operation.description)}</p>
${requestPart(described)}
${responsePart(described, document)}
${errorPart(described)}
${sampleList(described)}
${tryForm(described)}
</section>`;
}

function badges({ operation }: DescribedOperation): Html[] {
  const texts = [
    operation["x-madang-access"] === "master_key" ? "Master key only" : "Any key",
    operation["x-madang-idempotent"] ? "Safe to repeat" : "Not safe to repeat",
    ...(operation["x-madang-extension"] ? ["Extension"] : []),
  ];
  return texts.map((text) => html`<li>${text}</li>`);
}

function requestPart({ operation, body, isBodyRequired }: DescribedOperation): Html {
  const { parameters = [] } = operation;
  return html`${part("Path parameters", parameterFields(parameters, "path"))}
${part("In the query", parameterFields(parameters, "query"))}
${part("In the headers", parameterFields(parameters, "header"))}
${body === undefined ? nothing : part(isBodyRequired ? "Body" : "Body (optional)", requestFields(body.schema))}`;
}

function responsePart({ success }: DescribedOperation, document: OpenApiDocument): Html {
  const { status, response } = success;
  const schema = response.content?.["application/json"]?.schema;
  const headers = Object.keys(response.headers).map((name) => {
    const description = document.components.headers[name]?.description ?? "";
    return html`<div><dt><code>${name}</code> <span class="type">header</span></dt><dd><p>${prose(description)}</p></dd></div>`;
  });
  return html`<h4>Response ${status}</h4>
<p class="type">${schema === undefined ? html`no body` : typeOf(schema)}</p>
<details><summary>Headers (${headers.length})</summary><dl class="fields">${headers}</dl></details>`;
}

function errorPart({ errors }: DescribedOperation): Html {
  const entries = errors.flatMap(({ status, codes }) =>
    codes.map(
      (code) =>
        html`<li><span class="status">${status}</span> <a href="#${code}"><code>${code}</code></a> <span>${prose(errorHelp[code].happened)}</span></li>`,
    ),
  );
  return html`<details class="errors"><summary>Errors (${entries.length})</summary><ul>${entries}</ul></details>`;
}

function part(title: string, fields: Html): Html {
  return fields === nothing ? nothing : html`<h4>${title}</h4>${fields}`;
}
