import { type Html, html } from "./html";
import { sampleBaseUrl } from "./http-samples";

/** The rules that apply to every operation. */
export const introduction: Html = html`<section id="introduction" aria-labelledby="introduction.title">
<h2 id="introduction.title">Introduction</h2>
<p>Send the API key as <code>Authorization: Bearer &lt;key&gt;</code>: the master key or a sub key. The samples read it from the environment variable <code>MADANG_API_KEY</code>. The SDK samples begin with:</p>
<div class="sample"><pre tabindex="0" aria-label="The client of the SDK samples"><code class="typescript">import { ChatClient } from "@madang/client";

const chat = new ChatClient({ baseUrl: "${sampleBaseUrl}", apiKey: process.env.MADANG_API_KEY ?? "" });</code></pre></div>
<ul>
<li>Bodies are JSON. Every timestamp is a whole number of milliseconds since the Unix epoch, UTC.</li>
<li>Requests with unknown or repeated fields or parameters, or with numbers out of range, are rejected, and nothing is stored. Responses may contain additional fields in the future.</li>
<li>Lengths count Unicode code points; the sizes of metadata count UTF-8 bytes.</li>
<li>A page of a list contains <code>next</code> if there is another page. To get that page, send only <code>next</code>.</li>
<li>Every response has the header <code>X-Request-Id</code>. An error is <code>application/problem+json</code> with a <code>code</code>. <a href="#errors">Errors</a> explains each code.</li>
</ul>
<p>The contract as an OpenAPI 3.1 document: <a href="openapi.json">openapi.json</a>.</p>
</section>`;
