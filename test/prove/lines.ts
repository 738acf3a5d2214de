import ts from "typescript";
import type { Block } from "../documentation.ts";

/** Lines of a program that are those of a document. */
interface Region {
  readonly document: string;
  /** What has another value than in the document, and this value. */
  readonly replaced: readonly (readonly [shown: string, used: string])[];
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The options of a client that differ from a document: where the service is, and what it shows. */
const CLIENT_OPTIONS = new Set(["baseUrl", "token", "key", "fetch", "shapes"]);

/** The only other differences: the limits of time. */
const LIMITS = new Set(["timeout", "totalTimeout"]);

/** Returns in what a program is not the code of the documents. */
export function findDifferences(source: string, blocks: readonly Block[]): string[] {
  const regions = regionsOf(source);
  return [
    ...regions
      .filter((region) => !isShown(region, blocks))
      .map(({ text }) => `not in the document: ${text.trim()}`),
    ...regions
      .flatMap(({ replaced }) => replaced.filter(([shown, used]) => !isData(shown) || !isName(used)))
      .map(([shown, used]) => `more than data: ${shown} is ${used}`),
    ...findOwnCode(source, regions),
  ];
}

/** Returns the regions of a program that it takes from documents. */
export function regionsOf(source: string): Region[] {
  return [...source.matchAll(/\/\/ from (\S+?)(?:, where ([^\n]*))?\n(.*?)\n *\/\/ end\n/gs)].map((match) => {
    const [whole, document = "", where = "", text = ""] = match;
    const replaced = where
      .split(" and ")
      .filter(Boolean)
      .map((part) => part.split(" is ") as [string, string]);
    return { document, replaced, text, start: match.index, end: match.index + whole.length };
  });
}

/** Whether a document has the code of a region. */
export function isShown({ document, replaced, text }: Region, blocks: readonly Block[]): boolean {
  const wanted = tokensOf(text.trimEnd().replace(/,$/, "")); // a property of an object
  return blocks
    .filter((block) => block.document === document)
    .map((block) => replaced.reduce((shown, [from, to]) => shown.replaceAll(from, to), block.text))
    .some((shown) => tokensOf(shown).includes(wanted));
}

/** Returns the tokens of a text without comments and without what a formatter adds. */
function tokensOf(text: string): string {
  const file = parse(text);
  const tokens: string[] = [];
  const add = (node: ts.Node): void => {
    if (ts.isParenthesizedExpression(node)) return add(node.expression);
    const children = node.getChildren(file);
    if (children.length === 0) tokens.push(node.getText(file));
    for (const child of children) add(child);
  };
  add(file);
  const isTrailing = (token: string, next = "") => token === "," && /^[)\]}]$/.test(next);
  return tokens.filter((token, index) => token !== "" && !isTrailing(token, tokens[index + 1])).join("\n");
}

function parse(text: string): ts.SourceFile {
  return ts.createSourceFile("lines.ts", text, ts.ScriptTarget.Latest, true);
}

/** Whether a part of a document is a value, a name or a function of the reader, and no option. */
function isData(shown: string): boolean {
  const [statement] = parse(`(${shown})`).statements;
  if (statement === undefined || !ts.isExpressionStatement(statement)) return false;
  if (!ts.isParenthesizedExpression(statement.expression)) return false;
  const { expression } = statement.expression;
  return !ts.isObjectLiteralExpression(expression) && !ts.isBinaryExpression(expression);
}

function isName(used: string): boolean {
  return /^[\w.]+$|^"\w+"$/.test(used);
}

/** Returns what a program does outside of the documents' lines, besides opening clients and delivering rows. */
function findOwnCode(source: string, regions: readonly Region[]): string[] {
  const file = parse(source);
  const found: string[] = [];
  const imported = importsOf(file);
  const visit = (node: ts.Node): void => {
    const isOfDocument = regions.some(({ start, end }) => start <= node.getStart(file) && node.end <= end);
    const reason = isOfDocument ? undefined : reasonAgainst(node, imported);
    if (reason !== undefined) found.push(`${reason}: ${node.getText(file).split("\n")[0]}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The names that a program imports from the package. */
function importsOf(file: ts.SourceFile): Set<string> {
  const names = file.statements
    .filter((statement) => ts.isImportDeclaration(statement))
    .filter(({ moduleSpecifier }) => moduleSpecifier.getText(file).includes("/src/"))
    .flatMap(({ importClause }) => {
      const bindings = importClause?.namedBindings;
      return bindings !== undefined && ts.isNamedImports(bindings) ? [...bindings.elements] : [];
    });
  return new Set(names.map(({ name }) => name.text));
}

function reasonAgainst(node: ts.Node, imported: ReadonlySet<string>): string | undefined {
  if (ts.isIterationStatement(node, false)) return "a loop";
  if (ts.isTryStatement(node)) return "a catch";
  if (ts.isCallExpression(node)) {
    const callee = node.expression.getText();
    if (callee.endsWith(".catch")) return "a catch";
    if (/^(store|fleet)\./.test(callee) || imported.has(callee)) return "a call of the package";
  }
  if (ts.isNewExpression(node) && imported.has(node.expression.getText().replace("copy.", "")))
    return optionsOf(node).every((name) => CLIENT_OPTIONS.has(name)) ? undefined : "an option of a client";
  if (ts.isVariableDeclaration(node) && node.name.getText() === "LIMITS" && node.initializer !== undefined)
    return optionsOf(node).every((name) => LIMITS.has(name)) ? undefined : "more than limits of time";
  return undefined;
}

/** The names of the first object in a node, without what it spreads. */
function optionsOf(node: ts.Node): string[] {
  if (ts.isObjectLiteralExpression(node))
    return node.properties.flatMap(({ name }) => (name === undefined ? [] : [name.getText()]));
  let names: string[] = [];
  ts.forEachChild(node, (child) => {
    if (names.length === 0) names = optionsOf(child);
  });
  return names;
}
