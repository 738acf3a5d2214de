const MASK = "[redacted]";

/** Returns a function that takes the secrets out of a text, as they are and as URLs, JSON and base64 write them. */
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
