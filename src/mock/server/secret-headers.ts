/** Returns the bearer token of an `Authorization` header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined || !/^bearer /i.test(authorization)) return undefined;
  const token = authorization.slice("bearer ".length).trim();
  return token === "" || /\s/.test(token) ? undefined : token;
}

/** Names of headers whose values are secrets, such as `Authorization`, `X-Api-Key` and `X-Auth-Token`. */
const secretHeader =
  /auth(?:orization)?$|^(?:set-)?cookie2?$|token|jwt|secret|passw|passphrase|credential|session|signature|(?<!idempotency-)key$/i;

/** Whether the values of a header are never shown. */
export function isSecretHeader(name: string): boolean {
  return secretHeader.test(name);
}

/** Shorter values of cookies are settings: redacted, they would change numbers and words of bodies. */
const MIN_COOKIE_LENGTH = 8;

/** The number of cookies that are read: browsers send fewer. More could drive other secrets out of a redactor. */
const MAX_COOKIES = 100;

/** Returns the secrets in headers: tokens, keys, passwords and the values of cookies. */
export function secretsIn(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    isSecretHeader(name)
      ? [value ?? []]
          .flat()
          .slice(0, MAX_COOKIES)
          .flatMap((item) => secretsOf(name.toLowerCase(), item))
      : [],
  );
}

function secretsOf(name: string, value: string): string[] {
  // the other pairs of Set-Cookie are its attributes
  if (name.startsWith("set-cookie")) return cookiesIn(value.split(";", 1));
  if (name.startsWith("cookie")) return cookiesIn(value.split(";"));
  if (!name.endsWith("authorization")) return [value];
  const [, scheme = "", credentials = value] = /^(\S+) +(.*)$/.exec(value) ?? [];
  return scheme.toLowerCase() === "basic" ? [credentials, ...passwordIn(credentials)] : [credentials.trim()];
}

function cookiesIn(pairs: readonly string[]): string[] {
  const values = pairs.slice(0, MAX_COOKIES).map((pair) => pair.slice(pair.indexOf("=") + 1).trim());
  return values.filter(({ length }) => length >= MIN_COOKIE_LENGTH);
}

/** Returns the password; the user name if the password is empty, because some services take a key there. */
function passwordIn(base64: string): string[] {
  try {
    const [, user = "", password = ""] = /^(.*?):(.*)$/s.exec(atob(base64)) ?? [];
    return [password === "" ? user : password];
  } catch {
    return []; // not base64
  }
}
