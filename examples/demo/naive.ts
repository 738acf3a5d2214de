import type { ReferenceServer } from "shelfleet/mock";

type Row = Record<string, unknown>;

/** Sends a request; what fails is tried again. */
async function send(ref: ReferenceServer, url: string, secret: string, body?: Row): Promise<Row> {
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  for (let attempt = 1; ; attempt += 1)
    try {
      const response = await ref.fetch(url, init);
      if (!response.ok) throw new Error(`status ${response.status}`);
      return (await response.json()) as Row;
    } catch (error) {
      if (attempt === 5) throw error;
    }
}

/** The loop that is often written first: retries, and pages until one is empty. Returns the IDs that it has read. */
export async function runNaiveLoop(
  ref: ReferenceServer,
  damages: readonly Row[],
): Promise<Record<string, string[]>> {
  const ids: Record<string, string[]> = { stores: [], vehicles: [], inspections: [] };
  let cursor = "";
  do {
    const page = await send(ref, `${ref.storeUrl}/v1/stores?limit=50${cursor}`, ref.token);
    const items = page["items"] as Row[];
    if (items.length === 0) break;
    ids["stores"]?.push(...items.map(({ storeId }) => String(storeId)));
    const next = page["nextCursor"] as string | null;
    cursor = next ? `&cursor=${encodeURIComponent(next)}` : "";
  } while (cursor !== "");
  for (const name of ["vehicles", "inspections"])
    for (let page = 1; ; page += 1) {
      const { data } = await send(ref, `${ref.fleetUrl}/${name}?limit=50&page=${page}`, ref.key);
      const items = data as Row[];
      if (items.length === 0) break;
      ids[name]?.push(...items.map(({ id }) => String(id)));
    }
  for (const damage of damages) await send(ref, `${ref.fleetUrl}/damages`, ref.key, damage);
  return ids;
}
