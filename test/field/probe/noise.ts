import { gunzipSync, gzipSync } from "node:zlib";
import { seeded } from "./subjects.ts";

/** Noise between client and server, decided by a seed. Probabilities are from 0 to 1. */
export interface Noise {
  readonly unavailable?: number;
  readonly reset?: number;
  readonly html?: number;
  readonly extraProperties?: boolean;
  readonly propertyOrder?: boolean;
  readonly gzip?: boolean;
  /** Called before some requests, to write as another client. */
  readonly write?: () => Promise<unknown>;
}

type Fetch = (input: Request, init?: RequestInit) => Promise<Response>;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The same value with its properties in another order, and with a property that the contract does not have. */
function alter(value: unknown, noise: Noise, random: () => number): unknown {
  if (Array.isArray(value)) return value.map((one) => alter(one, noise, random));
  if (!isObject(value)) return value;
  const properties = Object.entries(value).map(([name, one]) => [name, alter(one, noise, random)] as const);
  if (noise.extraProperties === true) properties.push(["addedLater", { since: String(random()) }]);
  if (noise.propertyOrder !== true) return Object.fromEntries(properties);
  return Object.fromEntries(
    properties
      .map((one) => ({ one, at: random() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ one }) => one),
  );
}

/** A fetch with noise. A reset happens before the server sees the request or after it handled it. */
export function noisy(fetch: Fetch, noise: Noise, seed: number): Fetch {
  const random = seeded(seed * 7919 + 1);
  return async (input, init) => {
    if (random() < (noise.html ?? 0)) {
      const headers = { "content-type": "text/html" };
      return new Response("<html><body>Please log in</body></html>", { status: 200, headers });
    }
    if (random() < (noise.unavailable ?? 0)) return new Response("", { status: 503 });
    const isReset = random() < (noise.reset ?? 0);
    if (isReset && random() < 0.5) throw new TypeError("fetch failed");
    if (noise.write !== undefined && random() < 0.2) await noise.write();
    const response = await fetch(input, init);
    if (isReset) throw new TypeError("fetch failed");
    if (noise.extraProperties !== true && noise.propertyOrder !== true && noise.gzip !== true)
      return response;
    const text = await response.text();
    const headers = new Headers(response.headers);
    headers.delete("content-length");
    if (text === "" || !text.startsWith("{"))
      return new Response(text === "" ? null : text, { status: response.status, headers });
    const body = JSON.stringify(alter(JSON.parse(text), noise, random));
    // fetch decodes the body before the caller reads it
    const sent = noise.gzip === true ? gunzipSync(gzipSync(body)).toString() : body;
    return new Response(sent, { status: response.status, headers });
  };
}
