// `pnpm run reference`: writes docs/reference.md from the doc comments of the built types. A test compares the two.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const root = join(import.meta.dirname, "..");
const sections = {
  Users: "chat.users",
  UserMeta: "chat.users.meta",
  Channels: "chat.channels",
  ChannelMembers: "chat.channels.members",
  ChannelManagers: "chat.channels.managers",
  Messages: "chat.messages",
  Exports: "chat.exports",
  Keys: "chat.keys",
  Pager: "A list",
};
const types = [
  ...[
    "ClientOptions",
    "RequestOptions",
    "CallOptions",
    "ListOptions",
    "Page",
    "ExportPage",
    "UserFilter",
    "ExportRange",
  ],
  ...[
    "NewUser",
    "UserChange",
    "NewChannel",
    "ChannelChange",
    "CreatedChannel",
    "ErrorFields",
    "ResponseMeta",
    "ForEachOptions",
  ],
];

/** The text of the page. */
export function createReference() {
  const statements = ["index.d.ts", ...findChunks()].flatMap((name) => {
    const text = readFileSync(join(root, "dist", name), "utf8");
    return [...ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true).statements];
  });
  const find = (name) => {
    const found = statements.find((statement) => statement.name?.text === name);
    if (!found) throw new Error(`dist has no ${name}: build first`);
    return found;
  };
  const methods = Object.entries(sections).map(([name, title]) => {
    const members = find(name).members.filter(
      (member) => ts.isMethodDeclaration(member) && ts.isIdentifier(member.name),
    );
    return `## ${title}\n\n${members.map((member) => describeMethod(title, member)).join("\n\n")}`;
  });
  const shapes = types.map((name) => {
    const members = find(name).members.filter(ts.isPropertySignature);
    return `### ${name}\n\n${describe(find(name)).text}\n\n${members.map(describeField).join("\n")}`;
  });
  return `# Reference\n\nWritten by \`pnpm run reference\` from the doc comments.\n\n<!-- every block is run by packages/client/test/reference.test.ts -->\n\n${methods.join("\n\n")}\n\n## Options and results\n\n${shapes.join("\n\n")}\n`;
}

function findChunks() {
  const imports = readFileSync(join(root, "dist/index.d.ts"), "utf8").matchAll(/from '\.\/([\w-]+)\.js'/g);
  return [...new Set([...imports].map(([, name]) => `${name}.d.ts`))];
}

function describeMethod(title, member) {
  const { text, example } = describe(member);
  const input = member.parameters.map((parameter) => parameter.getText()).join(", ");
  const name = title.startsWith("chat.") ? `${title}.${member.name.text}` : member.name.text;
  const code = example === "" ? "" : `\n\n\`\`\`js\n${example}\n\`\`\``;
  return `### \`${name}(${input.replace(/\s+/g, " ")})\`\n\nReturns \`${member.type.getText().replace(/\s+/g, " ")}\`. ${text}${code}`;
}

function describeField(member) {
  const { text } = describe(member);
  const type = member.type.getText().replace(/\s+/g, " ").replace(" | undefined", "");
  return `- \`${member.name.text}${member.questionToken ? "?" : ""}: ${type}\`${text && ` ${text}`}`;
}

function describe(node) {
  const [comment] = node.jsDoc ?? [];
  const text = ts.getTextOfJSDocComment(comment?.comment) ?? "";
  const example = comment?.tags?.find(({ tagName }) => tagName.text === "example")?.comment ?? "";
  return {
    text: text.replace(/\n(?!\n)/g, " ").replace(/ {2,}/g, " "),
    example: ts.getTextOfJSDocComment(example) ?? "",
  };
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(join(root, "docs/reference.md"), createReference());
