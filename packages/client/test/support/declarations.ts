import { join } from "node:path";
import ts from "typescript";
import { root } from "./packed";

/** A method, a property or a field of an exported type, as an editor shows it. */
export interface Member {
  /** Such as `Users.create`. */
  readonly name: string;
  readonly text: string;
  readonly examples: readonly string[];
  /** Absent for what is no method. */
  readonly method?: {
    readonly signature: string;
    readonly returns: string;
    readonly parameters: readonly Parameter[];
  };
}

export interface Parameter {
  readonly name: string;
  readonly text: string;
  /** The sentence of a property of the parameter's type. */
  describe(property: string): string;
}

const folder = join(root, "dist");
const entries = ["index", "testing", "webhooks"].map((name) => join(folder, `${name}.d.ts`));
const service = ts.createLanguageService({
  getCompilationSettings: () => ({ strict: true, exactOptionalPropertyTypes: true, types: [] }),
  getScriptFileNames: () => entries,
  getScriptVersion: () => "1",
  getScriptSnapshot: (path) =>
    ts.sys.fileExists(path) ? ts.ScriptSnapshot.fromString(ts.sys.readFile(path) ?? "") : undefined,
  getCurrentDirectory: () => root,
  getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
});

/** The exports of the package, and the members of their types. */
export function readDeclarations(): { exported: Member[]; members: Member[] } {
  const program = service.getProgram();
  const checker = program?.getTypeChecker();
  if (program === undefined || checker === undefined) throw new Error("The built types cannot be read.");
  const textOf = (symbol: ts.Symbol) => ts.displayPartsToString(symbol.getDocumentationComment(checker));

  const describe = (name: string, symbol: ts.Symbol): Member => {
    const tags = symbol.getJsDocTags(checker).filter((tag) => tag.name === "example");
    const examples = tags.map((tag) => ts.displayPartsToString(tag.text));
    const [signature] = checker.getTypeOfSymbol(symbol).getCallSignatures();
    const isMethod = (symbol.flags & ts.SymbolFlags.Method) > 0;
    const common = { name, text: textOf(symbol), examples };
    if (!isMethod || signature === undefined) return common;
    const [declaration] = symbol.declarations ?? [];
    const position = declaration && ts.getNameOfDeclaration(declaration)?.getStart();
    const info = service.getQuickInfoAtPosition(declaration?.getSourceFile().fileName ?? "", position ?? 0);
    const parameters = signature.parameters.map((parameter) => ({
      name: parameter.name,
      text: textOf(parameter),
      describe: (property: string) => {
        const found = checker.getTypeOfSymbol(parameter).getNonNullableType().getProperty(property);
        return found === undefined ? "" : textOf(found);
      },
    }));
    const returns = checker.typeToString(signature.getReturnType());
    return {
      ...common,
      method: { signature: ts.displayPartsToString(info?.displayParts), returns, parameters },
    };
  };

  const symbols = entries.flatMap((entry) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(entry) as ts.SourceFile);
    return module === undefined ? [] : checker.getExportsOfModule(module);
  });
  const resolved = symbols.map((symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  );
  const isOurs = ({ declarations = [] }: ts.Symbol) =>
    declarations.some((declaration) => declaration.getSourceFile().fileName.startsWith(folder));
  const members = resolved.flatMap((symbol) => {
    const isValue = (symbol.flags & ts.SymbolFlags.Variable) > 0;
    const type = isValue ? checker.getTypeOfSymbol(symbol) : checker.getDeclaredTypeOfSymbol(symbol);
    const own = type.isUnion() ? [] : type.getProperties();
    const named = own.filter((property) => isOurs(property) && !/^(__|#)/.test(property.name));
    return named.map((property) => describe(`${symbol.name}.${property.name}`, property));
  });
  return { exported: resolved.map((symbol) => describe(symbol.name, symbol)), members };
}

/** What the compiler says about a program in which the built package is installed, with every strict option. */
export function compile(name: string, source: string): string[] {
  // In the folder of the package, which can import itself by its name.
  const path = join(root, name);
  const options: ts.CompilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true },
    ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, skipLibCheck: true },
    ...{ lib: ["lib.es2022.d.ts"], types: ["node"], typeRoots: [join(root, "node_modules/@types")] },
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => file === path || fileExists(file);
  host.getSourceFile = (file, ...rest) =>
    file === path ? ts.createSourceFile(file, source, ts.ScriptTarget.ES2022) : getSourceFile(file, ...rest);
  const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram([path], options, host));
  return diagnostics.map(({ file, start = 0, messageText }) => {
    const line = file === undefined ? "" : source.split("\n")[file.getLineAndCharacterOfPosition(start).line];
    return `${line}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
}
