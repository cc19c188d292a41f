import { expect, test } from "vitest";
import { html, prose } from "./html";

test("values are escaped, nested markup is not", () => {
  const inner = html`<b>${`<"&'>`}</b>`;
  expect(html`<p>${inner}${[inner]}</p>`.text).toBe(
    "<p><b>&lt;&quot;&amp;&#39;&gt;</b><b>&lt;&quot;&amp;&#39;&gt;</b></p>",
  );
});

test("prose formats code, and escapes it", () => {
  expect(prose("Send `<key>` & wait.").text).toBe("Send <code>&lt;key&gt;</code> &amp; wait.");
});
