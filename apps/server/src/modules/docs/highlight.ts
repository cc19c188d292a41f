import { concat, type Html, html } from "./html";

type Language = "json" | "typescript" | "shell";

/** The tokens of each language, by class. They cover the samples of the page, which are all generated. */
const tokens: Readonly<Record<Language, RegExp>> = {
  json: /(?<key>"(?:[^"\\]|\\.)*"(?=:))|(?<string>"(?:[^"\\]|\\.)*")|(?<number>-?\b\d[\d.]*)|(?<word>\b(?:true|false|null)\b)/g,
  typescript:
    /(?<comment>\/\/.*)|(?<string>"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)|(?<word>\b(?:async|await|const|false|for|from|if|import|new|of|throw|true)\b)|(?<number>\b\d[\d.]*\b)/g,
  shell: /(?<string>"(?:[^"\\]|\\.)*"|'(?:[^']|'\\'')*')|(?<word>^curl\b|(?<=\s)-{1,2}[A-Za-z-]+)/gm,
};

export function codeBlock(code: string, language: Language, label: string): Html {
  return html`<pre tabindex="0" aria-label="${label}"><code class="${language}">${highlight(code, language)}</code></pre>`;
}

export function highlight(code: string, language: Language): Html {
  const parts: Html[] = [];
  let end = 0;
  for (const { 0: text, index, groups = {} } of code.matchAll(tokens[language])) {
    const [kind = ""] = Object.keys(groups).filter((name) => groups[name] !== undefined);
    parts.push(html`${code.slice(end, index)}<span class="${kind}">${text}</span>`);
    end = index + text.length;
  }
  return concat([...parts, html`${code.slice(end)}`]);
}
