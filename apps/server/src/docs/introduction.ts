import { type Html, html } from "./html";
import { sampleBaseUrl } from "./http-samples";

/** What holds for every operation, said once. */
export const introduction: Html = html`<section id="introduction" aria-labelledby="introduction.title">
<h2 id="introduction.title">Before the first call</h2>
<p>A key travels as <code>Authorization: Bearer &lt;key&gt;</code>: the master key, or a sub key that it made. The samples read it from the environment variable <code>MADANG_API_KEY</code>. The SDK samples begin with:</p>
<div class="sample"><pre tabindex="0" aria-label="The client of the SDK samples"><code class="typescript">import { ChatClient } from "@madang/client";

const chat = new ChatClient({ baseUrl: "${sampleBaseUrl}", apiKey: process.env.MADANG_API_KEY ?? "" });</code></pre></div>
<ul>
<li>Bodies are JSON. Every timestamp is a whole number of milliseconds since the Unix epoch, UTC.</li>
<li>Input is strict: an unknown field or parameter, one given twice, and a number out of its range are refused, and nothing is stored. Output is open: new fields may appear in an answer at any time.</li>
<li>Lengths count Unicode code points; the sizes of metadata count UTF-8 bytes.</li>
<li>A list that goes on carries <code>next</code>. To get the next page, send <code>next</code> and nothing else.</li>
<li>Every answer carries <code>X-Request-Id</code>. A refusal is <code>application/problem+json</code> with a <code>code</code>; each <a href="#errors">code is explained below</a>.</li>
</ul>
<p>The whole interface as OpenAPI 3.1: <a href="openapi.json">openapi.json</a>.</p>
</section>`;
