/** A secret as it is quoted: the whole secret or a part of it. */
type Quote = (secret: string) => string;

const hexOf = (letter: string): string => letter.charCodeAt(0).toString(16).padStart(2, "0");
const each = (secret: string, form: (letter: string) => string): string => Array.from(secret, form).join("");
const base64 = (secret: string): string => Buffer.from(secret).toString("base64");
const wrapped = (text: string, every: number, line: string): string =>
  text.replace(new RegExp(`.{${every}}(?=.)`, "g"), `$&${line}`);

/** The encodings of a secret that are redacted. */
export const quotes: Record<string, Quote> = {
  "as it is": (secret) => secret,
  "in capitals": (secret) => secret.toUpperCase(),
  "in small letters": (secret) => secret.toLowerCase(),
  "as JSON": (secret) => JSON.stringify(secret).slice(1, -1),
  "as JSON with escaped slashes": (secret) => JSON.stringify(secret).slice(1, -1).replaceAll("/", "\\/"),
  "as JSON within JSON": (secret) => JSON.stringify(JSON.stringify(secret)).slice(3, -3),
  "with \\xNN": (secret) => each(secret, (letter) => `\\x${hexOf(letter)}`),
  "with \\XNN in capitals": (secret) => each(secret, (letter) => `\\x${hexOf(letter).toUpperCase()}`),
  "with \\u{…}": (secret) => each(secret, (letter) => `\\u{${hexOf(letter)}}`),
  "with \\uNNNN": (secret) => each(secret, (letter) => `\\u00${hexOf(letter)}`),
  "with \\x{…}": (secret) => each(secret, (letter) => `\\x{${hexOf(letter)}}`),
  "with \\u{…} and zeros": (secret) => each(secret, (letter) => `\\u{000000${hexOf(letter)}}`),
  "with %uNNNN": (secret) => each(secret, (letter) => `%u00${hexOf(letter)}`),
  "percent-encoded": encodeURIComponent,
  "percent-encoded twice": (secret) => encodeURIComponent(encodeURIComponent(secret)),
  "percent-encoded with plus": (secret) =>
    encodeURIComponent(secret).replaceAll("%20", "+").toLowerCase().replaceAll("%2b", "%2B"),
  "percent-encoded throughout": (secret) => each(secret, (letter) => `%${hexOf(letter)}`),
  "with decimal entities": (secret) => each(secret, (letter) => `&#${letter.charCodeAt(0)};`),
  "with hexadecimal entities": (secret) => each(secret, (letter) => `&#x${hexOf(letter)};`),
  "with decimal entities and zeros": (secret) =>
    each(secret, (letter) => `&#0000000${letter.charCodeAt(0)};`),
  "with hexadecimal entities and zeros": (secret) => each(secret, (letter) => `&#x00000${hexOf(letter)};`),
  "with entities without semicolons": (secret) => each(secret, (letter) => `&#x${hexOf(letter)}`),
  "with named entities": (secret) =>
    secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
  "in octal": (secret) => each(secret, (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, "0")}`),
  "in single quotes of a shell": (secret) => secret.replaceAll("'", "'\\''"),
  "in double quotes within single ones of a shell": (secret) => secret.replaceAll("'", `'"'"'`),
  "in double quotes of a shell": (secret) => secret.replace(/[$`"\\!]/g, "\\$&"),
  "in a shell without quotes": (secret) => secret.replace(/\W/g, "\\$&"),
  "in hexadecimal": (secret) => each(secret, hexOf),
  "in hexadecimal, in capitals": (secret) => each(secret, hexOf).toUpperCase(),
  "in base64": base64,
  "in base64url": (secret) => Buffer.from(secret).toString("base64url"),
  "in base64 behind one byte": (secret) => base64(`x${secret}`),
  "in base64 behind two bytes": (secret) => base64(`xy${secret}`),
  "in lines": (secret) => wrapped(secret, 7, "\n"),
  "in lines of HTTP": (secret) => wrapped(secret, 7, "\r\n\t"),
  "in base64 lines": (secret) => wrapped(base64(secret), 5, "\r\n"),
  "with zero-width spaces": (secret) => wrapped(secret, 5, "\u200b"),
  "with soft hyphens and marks of direction": (secret) => wrapped(secret, 3, "\u00ad\u202e"),
  "with escaped zero-width spaces": (secret) => wrapped(secret, 5, "\\u200b"),
  "with zero-width spaces of URLs": (secret) => wrapped(encodeURIComponent(secret), 15, "%e2%80%8b"),
  "with variation selectors and joiners": (secret) => wrapped(secret, 5, "\ufe0f\u034f\u{e0100}"),
  "with invisible letters": (secret) => wrapped(secret, 5, "\u3164\u115f\u2800"),
  "with escaped invisible letters": (secret) => wrapped(secret, 5, "\\u3164\\u180b"),
  "with invisible entities": (secret) => wrapped(secret, 5, "&shy;&ZeroWidthSpace;"),
  "with invisible tags": (secret) => wrapped(secret, 5, "\u{e0041}"),
  "with escaped invisible tags": (secret) => wrapped(secret, 5, "\\udb40\\uDC41"),
  "in UTF-16": (secret) => each(secret, (letter) => `${letter}\0`),
  "in quoted parts": (secret) => wrapped(secret, 3, "','"),
  "in double-quoted parts": (secret) => wrapped(secret, 3, '" + "'),
  "with dashes": (secret) => wrapped(secret, 3, "-"),
  "in hexadecimal with colons": (secret) => wrapped(each(secret, hexOf), 2, ":"),
  "in quoted parts of base64": (secret) => wrapped(base64(secret), 4, '", "'),
  "with accents": (secret) => wrapped(secret, 1, "\u0301"),
  "in escaped lines": (secret) => wrapped(secret, 7, "\\n"),
  "cut short": (secret) => `${secret.slice(0, Math.max(12, Math.ceil(secret.length / 2)))}…`,
  "without its beginning": (secret) => `…${secret.slice(-Math.max(12, Math.ceil(secret.length / 2)))}`,
};

/** Tokens whose JSON, base64 and URL forms differ from the token, each in another way. */
export const tokens = [
  "tok-4f9a+/=~?&Zq7",
  "Z9\"q\\w'e(r!t*y)~u$i%o<p>a&s/d",
  "eyJhbGciOiJIUzI1NiJ9.e30.Zm9vYmFyYmF6-_x",
  "aGVsbG8gd29ybGQ/Pz8+Pj4==",
  "100%25/already%2Fencoded+token",
];

export const keys = [`acme_${"0123456789abcdef".repeat(4)}`, `a.b-c_test_${"FEDCBA9876543210".repeat(4)}`];
