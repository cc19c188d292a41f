import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** The facts of a source file that the architecture test checks. Comments and string literals do not count. */
export interface Source {
  /** From the root of the repository. */
  readonly path: string;
  readonly imports: readonly Import[];
  /** Accesses such as `Date.now` and `process.env`, and `new Date()` without arguments. */
  readonly accesses: ReadonlySet<string>;
  readonly numbers: ReadonlySet<number>;
}

export interface Import {
  readonly from: string;
  readonly names: readonly string[];
  readonly isTypeOnly: boolean;
}

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** The sources below a folder, without tests and generated files. */
export function readSources(folder: string): Source[] {
  return readdirSync(root + folder, { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((path) => /\.(tsx?|mjs)$/.test(path) && !/\.test\.ts$|\/generated\//.test(path))
    .map((path) => parseSource(path, readFileSync(root + path, "utf8")));
}

/** Every cycle of imports between the sources, as the chain of its files. */
export function findCycles(sources: readonly Source[]): string[] {
  const paths = new Set(sources.map(({ path }) => path));
  return findCyclesIn(new Map(sources.map((source) => [source.path, targetsOf(source, paths)])));
}

/** Every cycle of imports between the folders in a folder. A file beside them counts as a folder. */
export function findFolderCycles(sources: readonly Source[], parent: string): string[] {
  const paths = new Set(sources.map(({ path }) => path));
  const folderOf = (path: string) => path.slice(parent.length + 1).split("/")[0] ?? path;
  const targets = new Map<string, string[]>();
  for (const source of sources) {
    const folder = folderOf(source.path);
    const others = targetsOf(source, paths).map(folderOf);
    targets.set(folder, [...(targets.get(folder) ?? []), ...others.filter((other) => other !== folder)]);
  }
  return findCyclesIn(targets);
}

function findCyclesIn(targets: ReadonlyMap<string, readonly string[]>): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, chain: readonly string[]) => {
    const start = chain.indexOf(path);
    if (start >= 0) return void cycles.push([...chain.slice(start), path].join(" → "));
    if (done.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...chain, path]);
    done.add(path);
  };
  for (const path of targets.keys()) visit(path, []);
  return cycles;
}

function targetsOf({ path, imports }: Source, paths: ReadonlySet<string>): string[] {
  return imports
    .filter(({ from }) => from.startsWith("."))
    .map(({ from }) => posix.join(posix.dirname(path), from))
    .flatMap((target) =>
      [target, `${target}.ts`, `${target}.tsx`].filter((candidate) => paths.has(candidate)),
    );
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
