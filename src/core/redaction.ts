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

/** The same for many texts. The pattern is made when the first comes that may hold the secret. */
export function redacter(secret: string): (text: string) => string {
  let marks: string[] | undefined;
  let pattern: RegExp | undefined;
  return (text) => {
    if (secret === "" || text.length < secret.length) return text;
    marks ??= formsOf(secret).map(longestWord);
    if (!marks.some((mark) => text.includes(mark))) return text;
    pattern ??= patternOf(secret);
    return text.replace(pattern, mask);
  };
}

/** The secret itself, and what base64 makes of it. */
function formsOf(secret: string): string[] {
  return secret.length >= shortestInside
    ? [secret, ...inBase64(secret)]
    : [secret, btoa(secret).replace(/=+$/, "")];
}

function patternOf(secret: string): RegExp {
  const forms = formsOf(secret).map((form) => form.replace(/\W/g, inAnyWriting));
  const pattern = forms.join("|");
  return new RegExp(secret.length >= shortestInside ? pattern : `(?<!\\w)(?:${pattern})(?!\\w)`, "g");
}

/** Letters and digits are written as they are everywhere: each form of the secret has this in it. */
function longestWord(form: string): string {
  return form
    .split(/[^A-Za-z\d]+/)
    .reduce((longest, word) => (word.length > longest.length ? word : longest));
}

/** What the base64 of any text around the secret has of it: where it begins decides between three forms. */
function inBase64(secret: string): string[] {
  return [0, 1, 2].map((before) => {
    const whole = btoa(" ".repeat(before) + secret);
    // what the letters before and after have a share in is left
    return whole.slice(Math.ceil((before * 4) / 3), Math.floor(((before + secret.length) * 4) / 3));
  });
}

/** A sign as it is, or as JSON, an address or HTML would write it. All repetitions are bounded: no text is slow. */
function inAnyWriting(sign: string): string {
  const code = sign.charCodeAt(0);
  const hex = code.toString(16).replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const entity = entities[sign] === undefined ? "" : `|${entities[sign]}`;
  const plain = `\\\\{0,3}${inEitherAlphabet(sign, code)}`;
  return `(?:${plain}|%(?:25){0,2}${hex}|\\\\{1,2}u00${hex}|&#x0{0,2}${hex};|&#0{0,2}${code};${entity})`;
}

/** base64url has two signs of its own. */
function inEitherAlphabet(sign: string, code: number): string {
  if (sign === "+") return "[+\\-]";
  return sign === "/" ? "[/_]" : `\\x${code.toString(16)}`;
}
