import type { Parameter } from "@madang/contract";
import { type DescribedOperation, isStream } from "./described-operation";

/** The base URL of the samples. The page's script replaces it with the server's URL. */
export const sampleBaseUrl = "http://127.0.0.1:3000";

export function curlSample(described: DescribedOperation): string {
  const { method, body } = described;
  const value = firstExample(described);
  const options = `${isStream(described) ? "--no-buffer " : ""}${method === "GET" ? "" : `-X ${method} `}`;
  const lines = [`curl ${options}"${sampleUrl(described)}"`];
  lines.push('  -H "Authorization: Bearer $MADANG_API_KEY"');
  if (body !== undefined && value !== undefined) {
    lines.push('  -H "Content-Type: application/json"');
    lines.push(`  -d '${JSON.stringify(value).replaceAll("'", `'\\''`)}'`);
  }
  return lines.join(" \\\n");
}

export function fetchSample(described: DescribedOperation): string {
  const { method } = described;
  const value = firstExample(described);
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}",`]),
    value === undefined
      ? `headers: { Authorization: \`Bearer \${process.env.MADANG_API_KEY}\` },`
      : `headers: {
    Authorization: \`Bearer \${process.env.MADANG_API_KEY}\`,
    "Content-Type": "application/json",
  },`,
    ...(value === undefined ? [] : [`body: JSON.stringify(${indent(JSON.stringify(value, undefined, 2))}),`]),
  ];
  return `const response = await fetch("${sampleUrl(described)}", {
  ${options.join("\n  ")}
});
if (!response.ok) throw new Error((await response.json()).detail);${readSample(described)}`;
}

function readSample(described: DescribedOperation): string {
  if (described.success.body === undefined) return "";
  if (!isStream(described)) return "\nconst result = await response.json();";
  return `
for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
  console.log(text);
}`;
}

export function firstExample({ body }: DescribedOperation): unknown {
  return Object.values(body?.examples ?? {})[0]?.value;
}

/** The value of a parameter in the samples, which omit query parameters without an example. */
export function parameterExample({ in: location, example, schema }: Parameter): string | undefined {
  const value = example ?? (location === "path" ? schema.examples?.[0] : undefined);
  return value === undefined ? undefined : String(value);
}

function sampleUrl({ path, operation: { parameters = [] } }: DescribedOperation): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const parameter of parameters) {
    const value = parameterExample(parameter);
    if (value === undefined) continue;
    if (parameter.in === "path") filled = filled.replace(`{${parameter.name}}`, encodeURIComponent(value));
    else query.set(parameter.name, value);
  }
  return `${sampleBaseUrl}${filled}${query.size === 0 ? "" : `?${query}`}`;
}

function indent(text: string): string {
  return text.replaceAll("\n", "\n  ");
}
