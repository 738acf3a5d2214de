import { bodyOf, isOk } from "../../exchange.ts";
import { experiment, conclusiveResult, tentativeResult } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import { storeOf } from "../../experiment-tools.ts";
import { ALL_TIME, listIn, storePath, firstStore, storesWithPhotos } from "./data.ts";
import { findUniqueProperty, keysOf } from "./identity.ts";

const IDS = ["photoId", "id", "imageId"] as const;

export const pageShape = experiment({
  gap: "photos.page-shape",
  consent: "read",
  cost: 1,
  needs: "a store",
  examine: (exchange) => {
    if (exchange.operation !== "listPhotos" || !isOk(exchange)) return undefined;
    const name = listIn(exchange)?.name ?? "";
    const properties = Object.keys(bodyOf(exchange));
    return tentativeResult(
      { name, properties },
      `The photo list has the properties ${properties.join(", ")}.`,
      exchange,
    );
  },
  observe: async function* observe(tools) {
    await storeOf(tools).get(storePath(await firstStore(tools), "photos"), { ...ALL_TIME, limit: "500" });
    yield undefined;
    for await (const { path } of storesWithPhotos(tools, 1)) {
      await storeOf(tools).get(path, { ...ALL_TIME, limit: "1" });
      yield undefined;
    }
    await storeOf(tools).get(storePath(await firstStore(tools), "photos"), { ...ALL_TIME, limit: "1" });
    yield undefined;
  },
  readings: {
    "items-nextCursor": ({ name, properties }) => name === "items" && !properties.includes("cursor"),
    "photos-nextCursor": ({ name, properties }) => name === "photos" && !properties.includes("cursor"),
    "data-cursor": ({ name, properties }) => name === "data" && !properties.includes("nextCursor"),
    "no-list": ({ name }) => name === "",
  },
});

interface CursorSource {
  readonly hasCursor: boolean;
  /** Whether a page that is not the last has a cursor. */
  readonly isAccepted: boolean;
}

export const cursorSource = experiment({
  gap: "photos.cursor-source",
  consent: "read",
  cost: 2,
  after: ["photos.page-shape"],
  needs: "a store with two photos that can be distinguished",
  observe: async function* observe(tools) {
    const store = storeOf(tools);
    for await (const { path, rows } of storesWithPhotos(tools, 2)) {
      const property = findUniqueProperty(rows, IDS);
      if (property === undefined) continue;
      const page = await store.get(path, { ...ALL_TIME, limit: "1" });
      const { nextCursor, cursor } = bodyOf(page);
      const returnedCursor = nextCursor ?? cursor;
      const [key] = keysOf(listIn(page)?.rows ?? [], property);
      if (key === undefined) continue;
      const sent = typeof returnedCursor === "string" ? returnedCursor : key;
      const next = await store.get(path, { ...ALL_TIME, limit: "1", cursor: sent });
      const [following] = keysOf(listIn(next)?.rows ?? [], property);
      const observed: CursorSource = {
        hasCursor: typeof returnedCursor === "string",
        isAccepted: isOk(next) && following !== undefined && following === keysOf(rows, property)[1],
      };
      const from = observed.hasCursor ? "cursor of the page" : "ID of its last photo";
      yield conclusiveResult(
        observed,
        `The ${from} ${observed.isAccepted ? "leads" : "does not lead"} to the next page.`,
        page,
        next,
      );
    }
    throw new Missing("a store with two photos that can be distinguished");
  },
  readings: {
    response: ({ hasCursor, isAccepted }) => hasCursor && isAccepted,
    "photo-id": ({ hasCursor, isAccepted }) => !hasCursor && isAccepted,
  },
});
