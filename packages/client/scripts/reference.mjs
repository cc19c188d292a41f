// `pnpm run reference`: writes docs/reference.md from the doc comments of the built types. A test compares the two.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { operations } from "@madang/contract";
import ts from "typescript";

const root = join(import.meta.dirname, "..");
const extensions = new Set(operations.filter(({ extension }) => extension).map(({ id }) => `chat.${id}`));

/** The text of the page. */
export function createReference() {
  const statements = readStatements();
  const classes = statements.filter(ts.isClassDeclaration);
  const resources = classes
    .map((statement) => [/^`(chat\.[\w.]+)`/.exec(describe(statement).text)?.[1], statement])
    .filter(([title]) => title !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const client = classes.find(({ name }) => name?.text === "ChatClient");
  const pager = classes.find(({ name }) => name?.text === "Pager");
  const sections = [["chat", client], ...resources, ["A list", pager]].map(([title, { members }]) => {
    const methods = members.filter(
      (member) => ts.isMethodDeclaration(member) && ts.isIdentifier(member.name),
    );
    return `## ${title}\n\n${methods.map((method) => describeMethod(title, method)).join("\n\n")}`;
  });
  const ids = statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .find(({ name }) => name.getText() === "ids");
  const idMethods = ids.type.members.map((method) => describeMethod("ids", method));
  const exported = findExports(statements);
  const types = statements
    .filter(({ name }) => exported.has(name?.text))
    .flatMap((statement) => describeType(statement) ?? [])
    .sort();
  return [
    "# Reference",
    "Written by `pnpm run reference` from the doc comments. An extension is a method that the interface document does not show.",
    "<!-- every block is run by packages/client/test/reference.test.ts -->",
    ...sections,
    `## ids\n\n${describe(ids.parent.parent).text}`,
    ...idMethods,
    "## Types",
    `${types.join("\n\n")}\n`,
  ].join("\n\n");
}

function readStatements() {
  const index = readFileSync(join(root, "dist/index.d.ts"), "utf8");
  const chunks = [...index.matchAll(/from '\.\/([\w-]+)\.js'/g)].map(([, name]) => `${name}.d.ts`);
  return ["index.d.ts", ...new Set(chunks)].flatMap((name) => {
    const text = readFileSync(join(root, "dist", name), "utf8");
    return [...ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true).statements];
  });
}

/** The names that a program can import. Those of a chunk are exported under another name. */
function findExports(statements) {
  const names = statements
    .filter((statement) => ts.isExportDeclaration(statement) && statement.exportClause)
    .flatMap(({ exportClause }) => exportClause.elements)
    .map(({ name }) => name.text);
  const imported = statements
    .filter(ts.isImportDeclaration)
    .flatMap(({ importClause }) => importClause.namedBindings.elements)
    .map(({ name }) => name.text);
  return new Set([...names, ...imported]);
}

function describeMethod(title, method) {
  const { text, example } = describe(method);
  const input = method.parameters.map((parameter) => parameter.getText()).join(", ");
  const name = title === "A list" ? method.name.text : `${title}.${method.name.text}`;
  const mark = extensions.has(name) ? " (extension)" : "";
  const code = example === "" ? "" : `\n\n\`\`\`js\n${example}\n\`\`\``;
  const parameters = ts
    .getJSDocTags(method)
    .filter(ts.isJSDocParameterTag)
    .map((tag) => `- \`${tag.name.getText()}\` ${tidy(ts.getTextOfJSDocComment(tag.comment))}`);
  const list = parameters.length === 0 ? "" : `\n\n${parameters.join("\n")}`;
  return `### \`${name}(${tidy(input)})\`${mark}\n\nReturns \`${tidy(method.type.getText())}\`. ${text}${list}${code}`;
}

function describeType(statement) {
  const { text } = describe(statement);
  if (ts.isTypeAliasDeclaration(statement))
    return `### ${statement.name.text}\n\n${text}\n\n\`${tidy(statement.type.getText())}\``;
  if (!ts.isInterfaceDeclaration(statement)) return undefined;
  const parents = (statement.heritageClauses ?? [])
    .flatMap(({ types }) => types)
    .map((type) => `\`${tidy(type.getText())}\``);
  const fields = statement.members.filter(ts.isPropertySignature).map(describeField);
  return [
    `### ${statement.name.text}`,
    text + (parents.length > 0 ? ` Extends ${parents.join(" and ")}.` : ""),
    ...(fields.length > 0 ? [fields.join("\n")] : []),
  ].join("\n\n");
}

function describeField(member) {
  const { text } = describe(member);
  const isOptional = member.questionToken !== undefined;
  // An optional field can always be undefined.
  const type = tidy(member.type.getText()).replace(isOptional ? / \| undefined$/ : /$^/, "");
  return `- \`${member.name.getText()}${isOptional ? "?" : ""}: ${type}\`${text && ` ${text}`}`;
}

function tidy(code) {
  return code.replace(/\s+/g, " ");
}

function describe(node) {
  const [comment] = node.jsDoc ?? [];
  const text = ts.getTextOfJSDocComment(comment?.comment) ?? "";
  const example = comment?.tags?.find(({ tagName }) => tagName.text === "example")?.comment ?? "";
  return {
    text: text.replace(/(?<!\n)\n(?!\n)/g, " ").replace(/ {2,}/g, " "),
    example: ts.getTextOfJSDocComment(example) ?? "",
  };
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(join(root, "docs/reference.md"), createReference());
