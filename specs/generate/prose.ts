/** `text` as a JSDoc comment; nothing where there is no text. */
export function comment(text: string | undefined): string {
  if (text === undefined) return "";
  const lines = text.trim().replaceAll("*/", "* /").split("\n");
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`).join("\n")}\n */\n`;
}
