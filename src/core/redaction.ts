const mask = "[redacted]";

/** What is shorter is a test's token: taken out of the middle of words, `t` would leave no text readable. */
const shortestInside = 8;

/** Takes a secret out of a text in each form in which a server, a proxy or a runtime might quote it. */
export function redact(text: string, secret: string): string {
  return redacter(secret)(text);
}

/** The same for many texts. The pattern is made when the first comes that may hold the secret. */
export function redacter(secret: string): (text: string) => string {
  let marks: string[] | undefined;
  let pattern: RegExp | undefined;
  return (text) => {
    if (secret === "") return text;
    marks ??= formsOf(secret).map(longestWord);
    if (!marks.some((mark) => text.includes(mark))) return text;
    pattern ??= patternOf(secret);
    return text.replace(pattern, mask);
  };
}

/** The secret itself, and what base64 makes of it. */
function formsOf(secret: string): string[] {
  return [secret, ...(secret.length < shortestInside ? [btoa(secret).replace(/=+/, "")] : inBase64(secret))];
}

function patternOf(secret: string): RegExp {
  const forms = formsOf(secret).map((form) => form.replace(/\W/g, inAnyWriting));
  const pattern = `(?:${forms.join("|")})`;
  return new RegExp(secret.length < shortestInside ? `(?<!\\w)${pattern}(?!\\w)` : pattern, "g");
}

/** Letters and digits are written as they are everywhere: each form of the secret has this in it. */
function longestWord(form: string): string {
  return form.split(/[\W_]+/).reduce((longest, word) => (word.length > longest.length ? word : longest));
}

/** What the base64 of any text around the secret has of it: where it begins decides between three forms. */
function inBase64(secret: string): string[] {
  return [0, 1, 2].map((before) => {
    const whole = btoa(" ".repeat(before) + secret);
    // what the letters before and after have a share in is left
    return whole.slice(Math.ceil((before * 4) / 3), Math.floor(((before + secret.length) * 4) / 3));
  });
}

/**
 * A sign as it is (base64url has two of its own), or any that an address, JSON or HTML escapes: the words around it
 * are the secret's. All repetitions are bounded, so that no text is slow.
 */
function inAnyWriting(sign: string): string {
  const plain = { "+": "[+-]", "/": "[/_]" }[sign] ?? `\\${sign}`;
  return `(?:\\\\{0,3}${plain}|%(?:25){0,2}\\w\\w|\\\\{1,2}u\\w{4}|&#?\\w{1,8};)`;
}
