import { StoreClient } from "shelfleet";
import { recordChange, readings } from "../server.ts";
import { range } from "../server-options.ts";
import { storeOptions } from "../settings.ts";

/** The fill rate of a store on a day. */
export interface DayRate {
  store: string;
  day: string;
  /** 0 to 100. */
  rate: number;
  photos: number;
}

/** Every day of the range that the seed fills. */
export const days: readonly string[] = daysOf(Date.parse(range.from), Date.parse(range.to));

/** Reads one report for each store, because the API groups by store or by day, but not by both. */
export async function readFillRates(): Promise<DayRate[]> {
  const store = new StoreClient(storeOptions());
  try {
    const stores = await store.stores.list().take(24);
    const ids = stores.flatMap(({ externalId }) => (externalId === null ? [] : [externalId]));
    const reports = await Promise.all(
      ids.map((id) => store.fillRates.across({ ...range, groupBy: "day", externalIds: [id] })),
    );
    return reports.flatMap((report, index) => rowsOf(report, ids[index] ?? ""));
  } finally {
    recordChange();
  }
}

/** gaps fill-rates.shape, fill-rates.calculation */
function rowsOf(report: Record<string, unknown>, store: string): DayRate[] {
  const groups = report[readings.value["fill-rates.shape"] ?? "groups"];
  const scale = readings.value["fill-rates.calculation"] === "fraction" ? 100 : 1;
  if (!Array.isArray(groups)) return [];
  return groups.map((group: { day: string; fillRate: number; photoCount: number }) => ({
    store,
    day: group.day,
    rate: group.fillRate * scale,
    photos: group.photoCount,
  }));
}

function daysOf(from: number, to: number): string[] {
  const found: string[] = [];
  for (let at = from; at < to; at += 86_400_000) found.push(new Date(at).toISOString().slice(0, 10));
  return found;
}
