import type { JsonObject } from "../../generated/store.ts";
import type { ReferenceServer } from "../../src/mock/index.ts";
import { ALL_TIME } from "./caller.ts";

/** The paths of the fleet API that list rows. */
export const FLEET_LISTS = [
  "vehicles",
  "vehicle-groups",
  "vehicle-fields",
  "inspections",
  "inspection-templates",
  "damages",
  "driver-assignments",
] as const;

/** Some readings have lists without end. */
const MOST_RESPONSES = 1_000;

/** Returns the body of every response in a walk over every list and every row, by URL. */
export async function everyResponse(ref: ReferenceServer): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const path of STORE_PATHS) await read(ref, ref.storeUrl + path, ref.token, texts);
  for (const id of [...ref.state.store.stores.keys()].toSorted())
    for (const path of pathsOf(id)) await read(ref, ref.storeUrl + path, ref.token, texts);
  const [production, sandbox] = ref.keys;
  for (const list of FLEET_LISTS) {
    await readFleet(ref, `${ref.fleetUrl}/${list}`, production?.key, texts);
    await readFleet(ref, `${ref.sandboxUrl}/${list}`, sandbox?.key, texts);
  }
  return texts;
}

const STORE_PATHS = ["/v1/stores?limit=2", "/v1/stores", `/v1/fill-rate?${ALL_TIME}&groupBy=store`];

function pathsOf(externalId: string): string[] {
  const store = `/v1/stores/${encodeURIComponent(externalId)}`;
  return [
    store,
    `${store}/contacts`,
    `${store}/expectations`,
    `${store}/expositions`,
    `${store}/protocols?${ALL_TIME}&limit=2`,
    `${store}/photos?${ALL_TIME}`,
    `${store}/fill-rate?${ALL_TIME}&groupBy=protocol`,
  ];
}

async function readFleet(
  ref: ReferenceServer,
  url: string,
  key: string | undefined,
  texts: Map<string, string>,
): Promise<void> {
  const body = await read(ref, url, key, texts);
  const rows = Array.isArray(body.data) ? (body.data as JsonObject[]) : [];
  for (const { id } of rows.slice(0, 3)) await read(ref, `${url}/${String(id)}`, key, texts);
}

/** Reads a page and the pages after it. */
async function read(
  ref: ReferenceServer,
  url: string,
  secret: string | undefined,
  texts: Map<string, string>,
): Promise<JsonObject> {
  const headers = { authorization: `Bearer ${secret}`, "x-service-api-version": "v1" };
  const response = await ref.fetch(url, { headers });
  const text = await response.text();
  texts.set(url, `${response.status} ${text}`);
  const body = (text === "" ? {} : JSON.parse(text)) as JsonObject;
  if (typeof body.nextCursor === "string" && texts.size < MOST_RESPONSES) {
    const next = new URL(url);
    next.searchParams.set("cursor", body.nextCursor);
    if (!texts.has(next.href)) await read(ref, next.href, secret, texts);
  }
  return body;
}
