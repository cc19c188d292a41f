import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** What a source file says to a reader who does not run it. Comments and texts say nothing here. */
export interface Source {
  /** From the root of the repository. */
  readonly path: string;
  readonly imports: readonly Import[];
  /** Accesses such as `Date.now` and `process.env`, and `new Date()` where it takes the time of now. */
  readonly accesses: ReadonlySet<string>;
  readonly numbers: ReadonlySet<number>;
}

export interface Import {
  readonly from: string;
  readonly names: readonly string[];
  readonly isTypeOnly: boolean;
}

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** The sources below a folder, without tests and what is generated. */
export function readSources(folder: string): Source[] {
  return readdirSync(root + folder, { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((path) => /\.(ts|mjs)$/.test(path) && !/\.test\.ts$|\/generated\//.test(path))
    .map((path) => parseSource(path, readFileSync(root + path, "utf8")));
}

export function parseSource(path: string, text: string): Source {
  const imports: Import[] = [];
  const accesses = new Set<string>();
  const numbers = new Set<number>();
  const visit = (node: ts.Node): void => {
    const found = readImport(node);
    if (found !== undefined) imports.push(found);
    if (ts.isPropertyAccessExpression(node)) {
      accesses.add(node.name.text);
      if (ts.isIdentifier(node.expression)) accesses.add(`${node.expression.text}.${node.name.text}`);
    }
    if (ts.isNewExpression(node) && node.expression.getText() === "Date" && !node.arguments?.length)
      accesses.add("new Date()");
    if (ts.isNumericLiteral(node)) numbers.add(Number(node.text));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return { path, imports, accesses, numbers };
}

function readImport(node: ts.Node): Import | undefined {
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [from] = node.arguments;
    return { from: from && ts.isStringLiteral(from) ? from.text : "?", names: [], isTypeOnly: false };
  }
  if (ts.isImportTypeNode(node))
    return { from: node.argument.getText().replaceAll(/^"|"$/g, ""), names: [], isTypeOnly: true };
  if (!ts.isImportDeclaration(node) && !ts.isExportDeclaration(node)) return undefined;
  if (node.moduleSpecifier === undefined || !ts.isStringLiteral(node.moduleSpecifier)) return undefined;
  const from = node.moduleSpecifier.text;
  if (ts.isExportDeclaration(node)) return { from, names: [], isTypeOnly: node.isTypeOnly };
  const bindings = node.importClause?.namedBindings;
  const elements = bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : [];
  const isEachTypeOnly = elements.length > 0 && elements.every(({ isTypeOnly }) => isTypeOnly);
  const isTypeOnly = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
  const names = elements.map(({ name, propertyName }) => (propertyName ?? name).text);
  return { from, names, isTypeOnly: isTypeOnly || (isEachTypeOnly && node.importClause?.name === undefined) };
}
