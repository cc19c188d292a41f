import type { DescribedOperation } from "./described-operation";
import { type Html, html, nothing } from "./html";
import { curlSample, fetchSample } from "./http-samples";
import { sdkSample } from "./sdk-samples";

/** Samples to copy. The browser keeps at most one of the `details` with the same name open. */
export function sampleList(described: DescribedOperation): Html {
  const samples = [
    { title: "curl", code: curlSample(described), language: "shell" },
    { title: "SDK", code: sdkSample(described.id), language: "typescript" },
    { title: "fetch", code: fetchSample(described), language: "typescript" },
  ];
  return html`<h4>Samples</h4><div class="samples">${samples.map(
    ({ title, code, language }, index) =>
      html`<details name="${described.id}.samples"${index === 0 ? html` open` : nothing}><summary>${title}</summary>
<div class="sample"><pre tabindex="0" aria-label="${described.operation.summary}, ${title}"><code class="${language}">${code}</code></pre></div></details>`,
  )}</div>`;
}
