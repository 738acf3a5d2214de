import { largestPage, storePath } from "../../../routes.ts";
import { rowsOf } from "../../exchange.ts";
import { type ExperimentTools, openParts } from "../../experiment-tools.ts";
import type { JsonObject } from "../../../../wire/json.ts";
import { getInRange, storesWithPhotos, storesWithProtocols } from "./data.ts";
import { PHOTO_IDS, PROTOCOL_IDS, findLabelProperty, findUniqueProperty, isDateTime } from "./identity.ts";

/** A list of a store whose rows have times by which they may be found. */
interface TimedList {
  readonly list: (typeof TIMED)[number];
  readonly path: string;
  readonly rows: readonly JsonObject[];
  /** The property that distinguishes the rows. */
  readonly property: string;
}

export const TIMED = ["protocols", "photos"] as const;

/** Yields protocols, and in later rounds also photos with the times of their protocols. */
export async function* timedLists(tools: ExperimentTools): AsyncGenerator<TimedList, void> {
  // the first round asks as little as possible
  for (const list of tools.round === 1 ? TIMED.slice(0, 1) : openParts(tools, TIMED)) {
    const lists = list === "protocols" ? storesWithProtocols(tools, 1) : storesWithPhotos(tools, 1);
    for await (const { externalId, path, rows } of lists) {
      const isPhotos = list === "photos";
      const property = isPhotos ? findUniqueProperty(rows, PHOTO_IDS) : findLabelProperty(rows, PROTOCOL_IDS);
      if (property !== undefined)
        yield {
          list,
          path,
          property,
          rows: isPhotos ? await withTimesOfProtocols(tools, externalId, rows) : rows,
        };
    }
  }
}

async function withTimesOfProtocols(
  tools: ExperimentTools,
  externalId: string,
  photos: readonly JsonObject[],
): Promise<JsonObject[]> {
  const path = storePath(externalId, "protocols");
  const protocols = rowsOf(await getInRange(tools, "protocols", path, largestPage(path)));
  return photos.map((photo) => {
    const protocol = protocols.find((row) => (row.protocolId ?? row.id) === photo.protocolId) ?? {};
    const times = Object.entries(protocol).filter(([, value]) => isDateTime(value));
    return {
      ...photo,
      ...Object.fromEntries(times.map(([name, time]) => [`${name} of the protocol`, time])),
    };
  });
}
