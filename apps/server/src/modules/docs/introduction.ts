import type { ErrorCode, OpenApiDocument } from "@madang/contract";
import { type Common, headerList } from "./common";
import { codeBlock } from "./highlight";
import { concat, type Html, html } from "./html";
import { sampleBaseUrl } from "./reference/http-samples";

const client = `import { ChatClient } from "@madang/client";

const chat = new ChatClient({ baseUrl: "${sampleBaseUrl}", apiKey: process.env.MADANG_API_KEY });`;

/** The rules that apply to every operation. */
export function introduction(common: Common, document: OpenApiDocument): Html {
  const { errors, changeErrors, headers, changeHeaders } = common;
  return html`<section id="introduction" aria-labelledby="introduction.title">
<h2 id="introduction.title">Introduction</h2>
<p>Send the API key as <code>Authorization: Bearer &lt;key&gt;</code>: the master key or a sub key. Operations marked “Master key only” reject sub keys. The samples read the key from the environment variable <code>MADANG_API_KEY</code>. The SDK samples begin with:</p>
<div class="sample">${codeBlock(client, "typescript", "The client of the SDK samples")}</div>
<ul>
<li>Bodies are JSON. Every timestamp is a whole number of milliseconds since the Unix epoch, UTC.</li>
<li>Requests with unknown or repeated fields or parameters, or with numbers out of range, are rejected, and nothing is stored. Responses may contain additional fields in the future.</li>
<li>Lengths count Unicode code points; the sizes of metadata count UTF-8 bytes.</li>
<li>A page of a list contains <code>next</code> if there is another page. To get that page, send only <code>next</code>.</li>
<li>The contract as an OpenAPI 3.1 document: <a href="openapi.json">openapi.json</a>.</li>
</ul>
<h3 id="safe-to-repeat">Safe to repeat</h3>
<p>An operation marked “Safe to repeat” has the same effect when it is sent twice. One marked “Safe to repeat with a key” may take effect twice: send the header <code>Idempotency-Key</code> with it, new for each request, and the same one when that request is repeated. For 24 hours, the same request with the same key gets the stored response. Every operation that changes something accepts the header. The SDK sends it where it matters.</p>
<h3 id="response-headers">Headers of every response</h3>
${headerList(headers, document)}
<p>Responses to changes can also have:</p>
${headerList(changeHeaders, document)}
<h3 id="common-errors">Errors of every operation</h3>
<p>An error is <code>application/problem+json</code> with a <code>code</code>. <a href="#errors">Errors</a> explains each code. Every operation can respond with ${codeLinks(errors)}; every change also with ${codeLinks(changeErrors)}. Each operation lists its own codes.</p>
</section>`;
}

function codeLinks(codes: readonly ErrorCode[]): Html {
  return concat(
    codes.map((code, index) => html`${index === 0 ? "" : ", "}<a href="#${code}"><code>${code}</code></a>`),
  );
}
