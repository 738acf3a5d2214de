const width = 105;

function wrapped(paragraph: string): string[] {
  const lines = [""];
  for (const word of paragraph.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + word.length >= width) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines;
}

/** `text` as a JSDoc comment; nothing where there is no text. */
export function comment(text: string | undefined): string {
  if (text === undefined) return "";
  const lines = text.trim().replaceAll("*/", "* /").split("\n").flatMap(wrapped);
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`).join("\n")}\n */\n`;
}
