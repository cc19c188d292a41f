import { type ErrorCode, errorHelp, errors } from "@madang/contract";
import { type Html, html, nothing, prose } from "./html";

/** What a code means and what to do. The `type` of an error response links here. */
export function errorSection(code: ErrorCode): Html {
  const { status, title } = errors[code];
  const { happened, fix } = errorHelp[code];
  return html`<section class="error" id="${code}" aria-labelledby="${code}.title">
<h3 id="${code}.title"><span class="status">${status}</span> <a href="#${code}"><code>${code}</code></a></h3>
<p><strong>${title}.</strong> ${prose(happened)}</p>
<p>${prose(fix)}</p>
${code === "unauthenticated" ? html`<p data-script hidden><a href="#key">Enter an API key for “Try it”</a></p>` : nothing}
</section>`;
}
