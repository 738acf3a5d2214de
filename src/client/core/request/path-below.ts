/**
 * Returns the part of an absolute URL after the base URL: path and query. Undefined if the URL is not below the base as
 * the platform parses both: `https://api.example.com.evil.example` is another origin.
 */
export function pathBelow(base: string, url: string): string | undefined {
  const { origin, pathname, search } = new URL(url);
  const root = new URL(base);
  const prefix = root.pathname.replace(/\/$/, "");
  if (origin !== root.origin || !pathname.startsWith(`${prefix}/`)) return undefined;
  return pathname.slice(prefix.length) + search;
}
