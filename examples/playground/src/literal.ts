const WIDTH = 78;

/** A JSON value as TypeScript would write it, on one line where it fits. */
export function literal(value: unknown, indent = ""): string {
  const short = inline(value);
  if (indent.length + short.length <= WIDTH || typeof value !== "object" || value === null) return short;
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    const elements = value.map((element) => `${deeper}${literal(element, deeper)},\n`);
    return `[\n${elements.join("")}${indent}]`;
  }
  const members = Object.entries(value).map(
    ([name, member]) => `${deeper}${key(name)}: ${literal(member, deeper)},\n`,
  );
  return `{\n${members.join("")}${indent}}`;
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (typeof value === "number") return grouped(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  const members = Object.entries(value).map(([name, member]) => `${key(name)}: ${inline(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** Separates thousands, as in handwritten code. */
function grouped(value: number): string {
  const text = JSON.stringify(value);
  return /^\d{4,}$/.test(text) ? text.replace(/\B(?=(\d{3})+$)/g, "_") : text;
}
