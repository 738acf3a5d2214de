import { largestPage, storePath } from "../../../routes.ts";
import { control, succeeds } from "../../controls.ts";
import { bodyOf, isOk } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, storeOf } from "../../experiment-tools.ts";
import { isObject, objectsIn } from "../../../../wire/json.ts";
import { PHOTO_IDS, PROTOCOL_IDS, findUniqueProperty, keysOf } from "./identity.ts";
import {
  externalIds,
  getInRange,
  LIST_NAMES,
  listIn,
  photosIn,
  storesWithPhotos,
  storesWithProtocols,
} from "./data.ts";

interface Page {
  /** The name of the list; empty if there is none. */
  readonly name: string;
  readonly properties: readonly string[];
}

export const pageShape = experiment<"photos.page-shape", Page>({
  gap: "photos.page-shape",
  cost: 1,
  chance: 0.8,
  needs: "a store with photos",
  assumes: "The array with photos has the same name in every response.",
  examine: (exchange) => {
    if (exchange.operation !== "listPhotos" || !isOk(exchange)) return undefined;
    const { name = "", rows = [] } = listIn(exchange) ?? {};
    // another array may be something else
    if (rows.length === 0 || !LIST_NAMES.some((known) => known === name)) return undefined;
    const properties = Object.keys(bodyOf(exchange));
    const reason = `The photo list has the properties ${properties.join(", ")}.`;
    return { observed: { name, properties }, reason };
  },
  observe: async function* observe(tools) {
    for (const id of (await externalIds(tools)).slice(0, 3)) {
      const path = storePath(id, "photos");
      const page = await getInRange(tools, "photos", path, largestPage(path));
      yield undefined;
      if (isOk(page) && !Object.values(bodyOf(page)).some(isRows)) yield* observeNoList(tools);
      await getInRange(tools, "photos", path, { limit: "1" });
      yield undefined;
    }
  },
  readings: {
    "items-nextCursor": ({ name, properties }) => name === "items" && !properties.includes("cursor"),
    "photos-nextCursor": ({ name, properties }) => name === "photos" && !properties.includes("cursor"),
    "data-cursor": ({ name, properties }) => name === "data" && !properties.includes("nextCursor"),
    "no-list": { name: "" },
  },
});

function isRows(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

/** Reads the photo lists of stores whose protocols have images. */
async function* observeNoList(tools: ExperimentTools) {
  for await (const { externalId, rows } of storesWithProtocols(tools, 1)) {
    const property = PROTOCOL_IDS.find((name) => typeof rows[0]?.[name] === "string");
    if (property === undefined) return;
    const detail = await storeOf(tools).get(storePath(externalId, "protocols", String(rows[0]?.[property])));
    const path = storePath(externalId, "photos");
    const page = await getInRange(tools, "photos", path, largestPage(path));
    const hasImages = control(
      "a protocol of the store has images",
      objectsIn(bodyOf(detail).images).length > 0,
    );
    const properties = Object.keys(bodyOf(page));
    const isList = Object.values(bodyOf(page)).some(Array.isArray);
    const reason = `The photo list has the properties ${properties.join(", ")}, and no array.`;
    const controls = [hasImages, succeeds(page), control("the response has no array", !isList)] as const;
    yield observation(externalId, { name: "", properties }, reason, controls, detail, page);
  }
}

interface CursorSource {
  readonly hasCursor: boolean;
  /** Whether it leads to the next page. */
  readonly isAccepted: boolean;
}

export const cursorSource = experiment<"photos.cursor-source", CursorSource>({
  gap: "photos.cursor-source",
  cost: 1.5,
  chance: 0.8,
  after: ["photos.page-shape"],
  needs: "a store with three photos that can be distinguished",
  assumes: "The photo lists of all stores have cursors of one kind.",
  observe: async function* observe(tools) {
    const store = storeOf(tools);
    for await (const { externalId, path, rows, exchange } of storesWithPhotos(tools, 3)) {
      const property = findUniqueProperty(rows, PHOTO_IDS);
      if (property === undefined) continue;
      const known = keysOf(rows, property);
      const page = await store.get(path, { ...exchange.query, limit: "2" });
      const { nextCursor, cursor } = bodyOf(page);
      const returnedCursor = nextCursor ?? cursor;
      const [first, key] = keysOf(photosIn(page), property);
      if (key === undefined) continue;
      const hasCursor = typeof returnedCursor === "string";
      const next = await tools.ask(store, path, { ...page.query, cursor: hasCursor ? returnedCursor : key });
      const [following] = keysOf(photosIn(next), property);
      const from = hasCursor ? "cursor of the page" : "ID of its last photo";
      // gap lists.cursor-position: the next page may begin with the last photo again
      const isNext = following === known[2] || following === known[1];
      const isAccepted = isOk(next) && following !== undefined && isNext;
      const reason = `The ${from} ${isAccepted ? "leads" : "does not lead"} to the next page.`;
      const isFirst = control("the page begins the list", first === known[0]);
      const continues = control("the next page continues the list", isAccepted);
      yield observation(externalId, { hasCursor, isAccepted }, reason, [isFirst, continues], page, next);
    }
  },
  readings: {
    response: { hasCursor: true, isAccepted: true },
    "photo-id": { hasCursor: false, isAccepted: true },
  },
});
