import { isObject, parseJson } from "../wire/json.ts";
import { isSameJson } from "./json.ts";
import type { PartName } from "./part-values.ts";
import { readRecords, type RecordSink } from "./sink.ts";

/**
 * Parts that the service keeps in another form than the desired one, such as phone numbers without blanks: a hash of both
 * forms for each part. A part whose hash is the same is not written again.
 */
export type KeptParts = { [Name in PartName]?: string };

const keyOf = (externalId: string): string => `kept/${externalId}`;

/** Returns what the sink remembers of stores, by their external IDs. */
export async function readKept(
  sink: Pick<RecordSink, "findRecords"> | undefined,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, KeptParts>> {
  const kept = new Map<string, KeptParts>();
  if (sink === undefined) return kept;
  const texts = await readRecords(sink, externalIds.map(keyOf));
  for (const id of externalIds) {
    const saved = parseJson(texts.get(keyOf(id)) ?? "");
    if (isObject(saved)) kept.set(id, saved);
  }
  return kept;
}

/** Saves what the next plan has to remember of a store. If another program has saved something meanwhile, that is kept. */
export async function saveKept(
  sink: RecordSink | undefined,
  externalId: string,
  kept: KeptParts | undefined,
): Promise<void> {
  if (sink === undefined || kept === undefined) return;
  const key = keyOf(externalId);
  const before = (await sink.findRecords([key])).get(key);
  if (isSameJson(parseJson(before ?? "{}"), kept)) return;
  await sink.saveRecord(key, before, JSON.stringify(kept));
}
