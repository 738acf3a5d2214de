/** Returns the bearer token of an `Authorization` header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined || !/^bearer /i.test(authorization)) return undefined;
  const token = authorization.slice("bearer ".length).trim();
  return token === "" || /\s/.test(token) ? undefined : token;
}

/** Headers whose values are always secrets. */
const secretHeaders: ReadonlySet<string> = new Set([
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
  "x-api-key",
]);

/** Whether the values of a header are never shown. */
export function isSecretHeader(name: string): boolean {
  return secretHeaders.has(name.toLowerCase());
}

/** Returns the secrets in headers: tokens, keys, passwords and the values of cookies. */
export function secretsIn(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    isSecretHeader(name) ? [value ?? []].flat().flatMap((item) => secretsOf(name.toLowerCase(), item)) : [],
  );
}

function secretsOf(name: string, value: string): string[] {
  if (name === "set-cookie" || name === "cookie")
    return value.split(";").map((pair) => pair.slice(pair.indexOf("=") + 1).trim());
  if (name === "x-api-key") return [value];
  const [, scheme = "", credentials = value] = /^(\S+) +(.*)$/.exec(value) ?? [];
  return scheme.toLowerCase() === "basic" ? [credentials, ...passwordIn(credentials)] : [credentials.trim()];
}

function passwordIn(base64: string): string[] {
  try {
    const text = atob(base64);
    return text.includes(":") ? [text.slice(text.indexOf(":") + 1)] : [];
  } catch {
    return []; // not base64
  }
}
