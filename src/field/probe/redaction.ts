const MASK = "[redacted]";

/** Returns a function that removes the secrets from a string, in plain form and encoded for URLs, JSON and base64. */
export function redacter(secrets: readonly string[]): (text: string) => string {
  const forms = secrets.filter((secret) => secret !== "").flatMap(formsOf);
  const longestFirst = [...new Set(forms)].toSorted((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((rest, form) => rest.split(form).join(MASK), text);
}

function formsOf(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    btoa(String.fromCharCode(...bytes)).replace(/=+$/, ""),
  ];
}
