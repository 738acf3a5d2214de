const mask = "[redacted]";

/** What is shorter is a test's token: taken out of the middle of words, `t` would leave no text readable. */
const shortestInside = 8;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Takes a secret out of a text in each form in which a server, a proxy or a runtime might quote it. */
export function redact(text: string, secret: string): string {
  return redacter(secret)(text);
}

/** The same for many texts. The pattern is made when the first comes that is long enough to hold the secret. */
export function redacter(secret: string): (text: string) => string {
  let pattern: RegExp | undefined;
  return (text) => {
    if (secret === "" || text.length < secret.length) return text;
    pattern ??= patternOf(secret);
    return text.replace(pattern, mask);
  };
}

function patternOf(secret: string): RegExp {
  if (secret.length >= shortestInside)
    return new RegExp([secret, ...inBase64(secret)].map(escaped).join("|"), "g");
  const forms = [secret, btoa(secret).replace(/=+$/, "")].map(escaped);
  return new RegExp(`(?<!\\w)(?:${forms.join("|")})(?!\\w)`, "g");
}

/** What the base64 of any text around the secret has of it: where it begins decides between three forms. */
function inBase64(secret: string): string[] {
  return [0, 1, 2].map((before) => {
    const whole = btoa(" ".repeat(before) + secret);
    // what the letters before and after have a share in is left
    return whole.slice(Math.ceil((before * 4) / 3), Math.floor(((before + secret.length) * 4) / 3));
  });
}

/** Each letter as it is, or as JSON, an address or HTML would write it. All repetitions are bounded: no text is slow. */
function escaped(form: string): string {
  return form.replace(/[^]/g, letterPattern);
}

function letterPattern(letter: string): string {
  const code = letter.charCodeAt(0);
  const hex = code
    .toString(16)
    .padStart(2, "0")
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const literal = `\\x${code.toString(16).padStart(2, "0")}`;
  const plain = /\w/.test(letter) ? literal : `\\\\{0,3}${inEitherAlphabet(letter, literal)}`;
  const entity = entities[letter] === undefined ? "" : `|${entities[letter]}`;
  return `(?:${plain}|%(?:25){0,2}${hex}|\\\\{1,2}u00${hex}|&#x0{0,2}${hex};|&#0{0,2}${code};${entity})`;
}

/** base64url has two letters of its own. */
function inEitherAlphabet(letter: string, literal: string): string {
  if (letter === "+") return "[+\\-]";
  return letter === "/" ? "[/_]" : literal;
}
