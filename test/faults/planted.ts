import { inspect } from "node:util";
import { serialize } from "node:v8";

/** Tokens whose JSON, base64 and URL forms differ from the token, each in another way. */
export const tokens = [
  "tok-4f9a+/=~?&Zq7",
  "Z9\"q\\w'e(r!t*y)~u$i%o<p>a&s/d",
  "eyJhbGciOiJIUzI1NiJ9.e30.Zm9vYmFyYmF6-_x",
  "aGVsbG8gd29ybGQ/Pz8+Pj4==",
  "100%25/already%2Fencoded+token",
];

export const keys = [`acme_${"0123456789abcdef".repeat(4)}`, `a.b-c_test_${"FEDCBA9876543210".repeat(4)}`];

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const hex = (letter: string): string => letter.charCodeAt(0).toString(16).padStart(2, "0");
const percent = (letter: string): string => `%${hex(letter).toUpperCase()}`;

/** Every form in which a server, a proxy or a runtime might quote a secret. */
export function formsOf(secret: string): string[] {
  const component = encodeURIComponent(secret);
  // the base64 of a longer string contains it at one of three offsets
  const base64 = ["", "x", "xy"].map((before) =>
    Buffer.from(`${before}${secret}`)
      .toString("base64")
      .slice(Math.ceil((before.length * 4) / 3))
      .replace(/.?=+$/, ""),
  );
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(secret).slice(1, -1).replaceAll("/", "\\/"),
    secret.replace(/\W/g, (letter) => `\\u00${hex(letter)}`),
    component,
    component.replace(/%../g, (code) => code.toLowerCase()),
    component.replace(/[!'()*~]/g, percent),
    component.replaceAll("%2F", "/"),
    encodeURI(secret),
    new URLSearchParams({ "": secret }).toString().slice(1),
    secret.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter),
    secret.replace(/[^\w]/g, (letter) => `&#x${hex(letter)};`),
    ...base64,
    ...base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
  ];
}

/** Everything that a log, a debugger or a crash report could show of a value. */
export function everything(value: unknown): string {
  const parts: string[] = [];
  for (let error = value; error instanceof Error; error = error.cause) {
    parts.push(error.stack ?? "", error.message, ...Object.getOwnPropertyNames(error));
    const { headers } = error as { headers?: unknown };
    if (headers instanceof Headers) parts.push(JSON.stringify([...headers]));
  }
  const options = {
    showHidden: true,
    depth: Infinity,
    getters: true,
    maxStringLength: Infinity,
    maxArrayLength: Infinity,
  };
  parts.push(inspect(value, options), String(value), JSON.stringify(value) ?? "");
  for (const copy of [structuredClone, serialize]) {
    try {
      parts.push(inspect(copy(value), options), String(copy(value)));
    } catch {
      // values that cannot be copied are skipped
    }
  }
  return parts.join("\n");
}

/** The forms of a secret that a text contains. Undoes the extra escapes of `inspect`. */
export function findSecret(text: string, secret: string): string[] {
  const texts = [text, text.replaceAll("\\\\", "\\"), text.replaceAll("\\'", "'")];
  return formsOf(secret).filter((form) => texts.some((one) => one.includes(form)));
}
