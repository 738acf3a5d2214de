// The responses of the servers and stubs in this folder.

export const token = "bench-token-0123456789";

/** Has the form of a key of the fleet API. */
export const key = `bench_${"0123456789abcdef".repeat(4)}`;

/** The number of items of a page. */
export const pageSize = 100;

/** A store, with the `id` that openai and stripe use as cursor. */
export function storeNumber(number: number) {
  return {
    id: `S-${number}`,
    storeId: `0b6f3c1e-52d4-4a0b-8f2e-${String(number).padStart(12, "0")}`,
    externalId: `S-${number}`,
    name: `Store ${number}`,
    location: "Aleje Jerozolimskie 54, Warszawa",
    regionId: "5d0a8e62-1c57-4b1f-9a3e-2f4c6b8d0e17",
    storeType: "Kiosk",
    openingTimes: [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, from: "06:00", to: "22:00" })),
    protocolScheduleId: "c7d1e5a0-3b2f-4d68-b0a4-91e8f7c6d5b4",
    protocolCronEnabled: true,
    onboardingComplete: true,
    loginCode: "482913",
  };
}

/** The stores of a page, counted from 0. */
export function storesOfPage(page: number): ReturnType<typeof storeNumber>[] {
  return Array.from({ length: pageSize }, (_, index) => storeNumber(page * pageSize + index + 1));
}

const text = JSON.stringify(storeNumber(1));
const headers = { "content-type": "application/json" };

const pageText = JSON.stringify({
  items: storesOfPage(0),
  data: storesOfPage(0),
  has_more: true,
  nextCursor: "S-100",
});

/** A `fetch` without a network that responds with a store or a page, so that only the client's own work is measured. */
export async function storeFetch(input: string | URL | Request, _init?: RequestInit): Promise<Response> {
  const url = input instanceof Request ? input.url : String(input);
  return new Response(url.includes("limit=") ? pageText : text, { headers });
}

const placeholder = "@";

/** The texts of a few stores, each split at its ID, because every store of a walk has a different ID. */
const texts = storesOfPage(0).map((store) =>
  JSON.stringify({ ...store, id: placeholder, storeId: placeholder, externalId: placeholder }).split(
    placeholder,
  ),
);

/** A `fetch` without a network of a service with the given number of stores. A cursor is a position. */
export function storesFetch(count: number): (url: string) => Promise<Response> {
  return async (url) => {
    const start = Number(/[?&]cursor=(\d+)/.exec(url)?.[1] ?? 0);
    const limit = Number(/[?&]limit=(\d+)/.exec(url)?.[1] ?? pageSize);
    const end = Math.min(start + limit, count);
    const items: string[] = [];
    for (let index = start; index < end; index += 1)
      items.push((texts[index % pageSize] ?? []).join(`S-${index}`));
    const cursor = end < count ? `"${end}"` : "null";
    return new Response(`{"items":[${items.join()}],"nextCursor":${cursor}}`, { headers });
  };
}

const spacing = 60_000;
const firstInstant = Date.parse("2020-01-01T00:00:00Z");

/** The time of a protocol of `protocolsFetch`: there is one for each minute. */
export const protocolTime = (index: number): Date => new Date(firstInstant + index * spacing);

/** A `fetch` without a network of a store with the given number of protocols. */
export function protocolsFetch(count: number): (url: string) => Promise<Response> {
  return async (url) => {
    const query = new URL(url).searchParams;
    const indexOf = (name: string): number =>
      Math.ceil((Date.parse(query.get(name) ?? "") - firstInstant) / spacing);
    const first = Math.max(0, indexOf("from"));
    const end = Math.min(count, indexOf("to"));
    const from = first + Number(query.get("cursor") ?? 0);
    const to = Math.min(end, from + pageSize);
    const items = Array.from({ length: Math.max(0, to - from) }, (_, index) => ({
      protocolId: `P-${from + index}`,
      status: "completed",
      createdAt: protocolTime(from + index),
    }));
    return Response.json({ externalId: "S-1", items, nextCursor: to < end ? `${to - first}` : null });
  };
}
