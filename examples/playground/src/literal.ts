const WIDTH = 78;

/** An expression that is copied into a literal unchanged. */
export class Expression {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A JSON value as TypeScript would write it, on one line where it fits; `column` is where it begins. */
export function literal(value: unknown, indent = "", column = indent.length): string {
  const short = inline(value);
  if (column + short.length <= WIDTH || !isNested(value)) return short;
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    const elements = value.map((element) => `${deeper}${literal(element, deeper)},\n`);
    return `[\n${elements.join("")}${indent}]`;
  }
  const properties = Object.entries(value).map(
    ([name, entry]) => `${deeper}${property(name, entry, literal(entry, deeper))},\n`,
  );
  return `{\n${properties.join("")}${indent}}`;
}

function inline(value: unknown): string {
  if (value instanceof Expression) return value.text;
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (typeof value === "number") return grouped(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  const properties = Object.entries(value).map(([name, entry]) => property(name, entry, inline(entry)));
  return properties.length === 0 ? "{}" : `{ ${properties.join(", ")} }`;
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof Expression);
}

/** `name: value`, or `name` where a variable of that name is the value. */
function property(name: string, value: unknown, text: string): string {
  return value instanceof Expression && value.text === name ? name : `${key(name)}: ${text}`;
}

function key(name: string): string {
  if (name === "__proto__") return '["__proto__"]'; // without brackets it sets the prototype
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** Separates thousands, as in handwritten code. */
function grouped(value: number): string {
  const text = JSON.stringify(value);
  return /^\d{4,}$/.test(text) ? text.replace(/\B(?=(\d{3})+$)/g, "_") : text;
}
