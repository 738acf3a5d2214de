import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A default in the words of a comment: a number, a boolean or the text in backticks. */
export interface DocumentedDefault {
  readonly place: string;
  readonly name: string;
  readonly value: string;
}

type Values = Map<string, Set<string>>;

const sources = globSync("src/{client,sync}/**/*.ts", { cwd: root })
  .toSorted()
  .map((path) => ts.createSourceFile(path, readFileSync(root + path, "utf8"), ts.ScriptTarget.Latest, true));

function each(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => each(child, visit));
}

/** The initializers of the constants of all files, by name. */
const constants = new Map<string, ts.Expression>();
for (const source of sources)
  each(source, (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined)
      constants.set(node.name.text, node.initializer);
  });

/** The value of an expression that is a literal, a product of numbers or a constant; undefined for any other. */
function valueOf(expression: ts.Expression): string | undefined {
  if (ts.isStringLiteral(expression)) return expression.text;
  if (ts.isNumericLiteral(expression)) return String(Number(expression.text));
  if (expression.kind === ts.SyntaxKind.TrueKeyword) return "true";
  if (expression.kind === ts.SyntaxKind.FalseKeyword) return "false";
  if (ts.isAsExpression(expression)) return valueOf(expression.expression);
  if (ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.AsteriskToken) {
    const product = Number(valueOf(expression.left)) * Number(valueOf(expression.right));
    return Number.isNaN(product) ? undefined : String(product);
  }
  const constant = ts.isIdentifier(expression) ? constants.get(expression.text) : undefined;
  return constant && valueOf(constant);
}

function add(values: Values, name: string, expression: ts.Expression | undefined): void {
  const value = expression && valueOf(expression);
  if (value !== undefined) values.set(name, (values.get(name) ?? new Set()).add(value));
}

/** The name that `expression` reads last: `timeout` of `options.timeout`. */
function lastName(expression: ts.Expression): string | undefined {
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text;
  return ts.isIdentifier(expression) ? expression.text : undefined;
}

/** The pairs of a name and a literal, the last one of a list, in an array or in arguments: `read("max", 0, 100_000)`. */
function addPairs(values: Values, elements: readonly ts.Expression[]): void {
  const name = elements.findLast((element) => ts.isStringLiteral(element));
  const last = elements.at(-1);
  if (name !== undefined && last !== name) add(values, name.text, last);
}

/** The defaults in code, by the name of the option: `{ name = 1 }`, `name ?? 1`, `name: 1` and `"name", 1`. */
function collectCode(): Values {
  const values: Values = new Map();
  for (const source of sources)
    each(source, (node) => {
      if (ts.isBindingElement(node))
        add(values, (node.propertyName ?? node.name).getText(), node.initializer);
      if (ts.isParameter(node)) add(values, node.name.getText(), node.initializer);
      if (ts.isArrayLiteralExpression(node)) addPairs(values, node.elements);
      if (ts.isCallExpression(node)) addPairs(values, node.arguments);
      if (ts.isPropertyAssignment(node)) add(values, node.name.getText(), node.initializer);
      if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) {
        const name = lastName(node.left);
        if (name !== undefined) add(values, name, node.right);
      }
    });
  return values;
}

/** The defaults in the code of clients and jobs. */
export const codeDefaults: ReadonlyMap<string, ReadonlySet<string>> = collectCode();

/** The number in `30 000`, the literal in backticks, or a boolean; undefined for a default in words. */
function literalIn(text: string): string | undefined {
  const number = /^([\d ]+(?:\.\d+)?)(?:,|$)/.exec(text)?.[1];
  if (number !== undefined) return String(Number(number.replaceAll(" ", "")));
  return /^`([\w-]+)`$/.exec(text)?.[1] ?? /^(?:true|false)$/.exec(text)?.[0];
}

/** The defaults that the comments of options state as `(default: 30 000)`. */
export function documentedDefaults(): DocumentedDefault[] {
  const found: DocumentedDefault[] = [];
  for (const source of sources)
    each(source, (node) => {
      if (!ts.isPropertySignature(node)) return;
      const comment = ts
        .getJSDocCommentsAndTags(node)
        .map((part) => part.getText())
        .join(" ");
      const [, text = ""] = /\(default: ([^)]+)\)/.exec(comment.replaceAll(/\s*\n\s*\* ?/g, " ")) ?? [];
      const value = literalIn(text);
      if (value !== undefined) found.push({ place: source.fileName, name: node.name.getText(), value });
    });
  return found;
}

const units: Readonly<Record<string, number>> = { s: 1000, MiB: 2 ** 20 };

/** The number in `30 s`, `64 MiB` or `1000`, in the unit of the option; undefined for words. */
function amountIn(text: string): string | undefined {
  const [, amount, unit] = /^([\d ]+?)(?: (s|MiB))?$/.exec(text) ?? [];
  if (amount === undefined) return literalIn(text);
  return String(Number(amount.replaceAll(" ", "")) * (unit === undefined ? 1 : (units[unit] ?? 1)));
}

/** The defaults that guides state as `` `timeout` (30 s) ``, and those of the table of options. */
export function guideDefaults(): DocumentedDefault[] {
  // the tables of scenarios have no options
  const guides = globSync("docs/*.md", { cwd: root }).filter((place) => place !== "docs/scenarios.md");
  return guides.flatMap((place) => {
    const lines = readFileSync(root + place, "utf8").split("\n");
    const inText = lines.flatMap((line) =>
      Array.from(
        line.matchAll(/`(?:\w+\.)?(\w+)` \(([\d ]+(?: s| MiB)?)\)/g),
        ([, name = "", text = ""]) => ({ name, text }),
      ),
    );
    const start = lines.findIndex((line) => /^\|.*\| default \|$/.test(line));
    const rows = start < 0 ? [] : lines.slice(start + 2);
    const end = rows.findIndex((line) => !line.startsWith("|"));
    const inTable = rows.slice(0, end).flatMap((line) => {
      const [names = "", ...cells] = line.split("|").slice(1, -1);
      const options = Array.from(names.matchAll(/`(\w+)`/g), ([, name = ""]) => name);
      const values = (cells.at(-1) ?? "").trim().split("; ");
      if (options.length !== values.length) return [];
      return options.map((name, index) => ({ name, text: values[index] ?? "" }));
    });
    return [...inText, ...inTable].flatMap(({ name, text }) => {
      const value = amountIn(text);
      return value === undefined ? [] : [{ place, name, value }];
    });
  });
}
