import { bodyOf, isOk } from "../../exchange.ts";
import { experiment, proof, sighting } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import { storeOf } from "../../lab.ts";
import { WIDE, listIn, storePath, firstStore, storesWithPhotos } from "./data.ts";
import { distinguishing, keysOf } from "./identity.ts";

const IDS = ["photoId", "id", "imageId"] as const;

export const pageShape = experiment({
  gap: "photos.page-shape",
  consent: "read",
  cost: 1,
  needs: "a store",
  notice: (exchange) => {
    if (exchange.operation !== "listPhotos" || !isOk(exchange)) return undefined;
    const name = listIn(exchange)?.name ?? "";
    const members = Object.keys(bodyOf(exchange));
    return sighting({ name, members }, `The photo list has the properties ${members.join(", ")}.`, exchange);
  },
  observe: async function* observe(lab) {
    await storeOf(lab).get(storePath(await firstStore(lab), "photos"), { ...WIDE, limit: "500" });
    yield undefined;
    for await (const { path } of storesWithPhotos(lab, 1)) {
      await storeOf(lab).get(path, { ...WIDE, limit: "1" });
      yield undefined;
    }
    await storeOf(lab).get(storePath(await firstStore(lab), "photos"), { ...WIDE, limit: "1" });
    yield undefined;
  },
  readings: {
    "items-nextCursor": ({ name, members }) => name === "items" && !members.includes("cursor"),
    "photos-nextCursor": ({ name, members }) => name === "photos" && !members.includes("cursor"),
    "data-cursor": ({ name, members }) => name === "data" && !members.includes("nextCursor"),
    "no-list": ({ name }) => name === "",
  },
});

interface CursorSource {
  readonly hasCursor: boolean;
  /** Whether a page that is not the last has a cursor. */
  readonly leadsOn: boolean;
}

export const cursorSource = experiment({
  gap: "photos.cursor-source",
  consent: "read",
  cost: 2,
  after: ["photos.page-shape"],
  needs: "a store with two photos that can be distinguished",
  observe: async function* observe(lab) {
    const store = storeOf(lab);
    for await (const { path, rows } of storesWithPhotos(lab, 2)) {
      const member = distinguishing(rows, IDS);
      if (member === undefined) continue;
      const page = await store.get(path, { ...WIDE, limit: "1" });
      const { nextCursor, cursor } = bodyOf(page);
      const shown = nextCursor ?? cursor;
      const [key] = keysOf(listIn(page)?.rows ?? [], member);
      if (key === undefined) continue;
      const sent = typeof shown === "string" ? shown : key;
      const next = await store.get(path, { ...WIDE, limit: "1", cursor: sent });
      const [following] = keysOf(listIn(next)?.rows ?? [], member);
      const seen: CursorSource = {
        hasCursor: typeof shown === "string",
        leadsOn: isOk(next) && following !== undefined && following === keysOf(rows, member)[1],
      };
      const from = seen.hasCursor ? "cursor of the page" : "ID of its last photo";
      yield proof(
        seen,
        `The ${from} ${seen.leadsOn ? "leads" : "does not lead"} to the next page.`,
        page,
        next,
      );
    }
    throw new Missing("a store with two photos that can be distinguished");
  },
  readings: {
    response: ({ hasCursor, leadsOn }) => hasCursor && leadsOn,
    "photo-id": ({ hasCursor, leadsOn }) => !hasCursor && leadsOn,
  },
});
