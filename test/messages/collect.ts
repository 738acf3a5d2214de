import ts from "typescript";

/** Properties whose value is shown to people. */
const MESSAGE_PROPERTIES = new Set(["message", "hint", "reason", "warning"]);

/**
 * Returns the messages in a source file, in their order: the string literals and templates with a word in lower
 * case beside another one, and any words that an error or a property of `MESSAGE_PROPERTIES` gets directly. Messages are also built from parts in
 * variables, tables and functions; in `src`, a literal of several words is always part of a message. A template shows
 * its values as names in braces.
 */
export function collectMessages(source: ts.SourceFile): string[] {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return;
    const text = textOf(node);
    if (text !== undefined && (isProse(text) || (isMessage(node) && isWords(text)))) found.add(text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...found];
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return normalize(node.text);
  if (!ts.isTemplateExpression(node)) return undefined;
  const parts = node.templateSpans.map(({ expression, literal }) => `{${nameOf(expression)}}${literal.text}`);
  return normalize(node.head.text + parts.join(""));
}

/** Whether a text has two words, one of them in lower case: `GET /v1/stores` is a label. */
function isProse(text: string): boolean {
  return /[\w}"`)\]][,:;]? +[\w{"`([]/.test(text) && /(?<![\w/.{-])[a-z]{2,}(?![\w/.}=-])/.test(text);
}

/** Whether a text has two words of any case, and is not a label such as `GET /v1/stores`. */
function isWords(text: string): boolean {
  return /[A-Za-z]{2,} [A-Za-z]{2,}/.test(text) && !/^[A-Z]+ \//.test(text);
}

function isMessage({ parent }: ts.Node): boolean {
  if (ts.isPropertyAssignment(parent)) return MESSAGE_PROPERTIES.has(parent.name.getText());
  return ts.isNewExpression(parent) && parent.expression.getText().endsWith("Error");
}

/** A short name for a value: the last name in its expression. */
function nameOf(expression: ts.Expression): string {
  const text = expression.getText().replaceAll(/["'`][^"'`]*["'`]/g, "");
  return /^[\w.]+$/.test(text) ? text : (/[A-Za-z]\w*(?=\W*$)/.exec(text)?.[0] ?? "value");
}

/** The text without the white space of its indentation. */
function normalize(text: string): string {
  return text.trim().replaceAll(/[^\S\n]+/g, " ");
}
