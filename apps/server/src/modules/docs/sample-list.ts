import type { DescribedOperation } from "./described-operation";
import { codeBlock } from "./highlight";
import { type Html, html, nothing } from "./html";
import { curlSample, fetchSample } from "./http-samples";
import { sdkSample } from "./sdk-samples";

/** Samples to copy. The browser keeps at most one of the `details` with the same name open. */
export function sampleList(described: DescribedOperation): Html {
  const samples = [
    { title: "curl", code: curlSample(described), language: "shell" as const },
    { title: "SDK", code: sdkSample(described.id), language: "typescript" as const },
    { title: "fetch", code: fetchSample(described), language: "typescript" as const },
  ];
  return html`<h4>Samples</h4><div class="samples">${samples.map(
    ({ title, code, language }, index) =>
      html`<details name="${described.id}.calls"${index === 0 ? html` open` : nothing}><summary>${title}</summary>
<div class="sample">${codeBlock(code, language, `${described.operation.summary}, ${title}`)}</div></details>`,
  )}</div>`;
}
