import { type Exchange, bodyOf, isOk, rowsOf } from "../../exchange.ts";
import { Missing, type Sighting, experiment, proof, sighting } from "../../experiment.ts";
import type { JsonObject } from "../../json.ts";
import { type Lab, storeOf } from "../../lab.ts";
import { type StoreList, WIDE, listIn, storePath, firstStore, storesWithPhotos } from "./data.ts";
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
    return sighting({ name, members }, `The photo list has the members ${members.join(", ")}.`, exchange);
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
  /** Whether a cursor was shown where the page is not the last. */
  readonly leadsOn: boolean;
}

export const cursorSource = experiment({
  gap: "photos.cursor-source",
  consent: "read",
  cost: 2,
  after: ["photos.page-shape"],
  needs: "a store with two photos that can be told apart",
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
    throw new Missing("a store with two photos that can be told apart");
  },
  readings: {
    response: ({ hasCursor, leadsOn }) => hasCursor && leadsOn,
    "photo-id": ({ hasCursor, leadsOn }) => !hasCursor && leadsOn,
  },
});

const IMAGE_ONLY = ["uploaded", "pending", "annotating", "annotated", "evaluating"] as const;
const PROTOCOL_ONLY = ["processing", "awaiting_processing", "awaiting_submission"] as const;
const SHARED = ["completed", "failed"] as const;

/** What a photo with a status of one enum shows when a shared value is asked for. */
interface StatusSeen {
  /** Statuses of one enum that were refused. */
  readonly refused?: "image" | "protocol";
  /** A photo with an image status of its own, whose protocol has a shared status, is found by it. */
  readonly byProtocol?: boolean;
  /** A photo whose protocol has a status of its own, while the image has a shared one, is found by it. */
  readonly byImage?: boolean;
}

/** Asks for statuses, one request each, and gathers the keys of the photos found. */
class StatusReader {
  readonly #lab: Lab;
  readonly #path: string;
  readonly #member: string;
  readonly exchanges: Exchange[] = [];

  constructor(lab: Lab, { path }: StoreList, member: string) {
    this.#lab = lab;
    this.#path = path;
    this.#member = member;
  }

  async find(status: string, fresh = false): Promise<Exchange & { keys: string[] }> {
    const exchange = await storeOf(this.#lab).get(this.#path, { ...WIDE, limit: "500", status }, { fresh });
    this.exchanges.push(exchange);
    return { ...exchange, keys: keysOf(listIn(exchange)?.rows ?? [], this.#member) };
  }

  /** The photos that any of the statuses finds. */
  async all(statuses: readonly string[]): Promise<Set<string>> {
    const keys = new Set<string>();
    for (const status of statuses) for (const key of (await this.find(status)).keys) keys.add(key);
    return keys;
  }
}

export const photoStatus = experiment<"photos.status", StatusSeen>({
  gap: "photos.status",
  consent: "read",
  cost: 5,
  after: ["photos.page-shape"],
  needs: "photos whose image and protocol have different statuses",
  observe: async function* observe(lab) {
    for await (const list of storesWithPhotos(lab, 1)) {
      const member = distinguishing(list.rows, IDS);
      if (member === undefined) continue;
      const protocols = await storeOf(lab).get(storePath(list.externalId, "protocols"), {
        ...WIDE,
        limit: "100",
      });
      const hints = hintsOf(list.rows, rowsOf(protocols));
      if (hints === undefined) continue;
      const reader = new StatusReader(lab, list, member);
      for (const [refused, status] of [
        ["image", "uploaded"],
        ["protocol", "processing"],
      ] as const) {
        const { status: code } = await reader.find(status);
        if (code !== 400) continue;
        const other = await reader.find(refused === "image" ? "processing" : "uploaded");
        if (isOk(other))
          yield proof(
            { refused },
            `The photo list refuses the ${refused} status "${status}".`,
            ...reader.exchanges,
          );
      }
      yield* sharedValues(reader, hints);
    }
    throw new Missing("photos whose image and protocol have different statuses");
  },
  readings: {
    either: ({ refused, byProtocol, byImage }) =>
      refused === undefined && byProtocol !== false && byImage !== false,
    both: ({ refused, byProtocol, byImage }) =>
      refused === undefined && byProtocol !== true && byImage !== true,
    protocol: ({ refused, byProtocol, byImage }) =>
      refused === undefined && byProtocol !== false && byImage !== true,
    image: ({ refused, byProtocol, byImage }) =>
      refused === undefined && byProtocol !== true && byImage !== false,
    "protocol-only": ({ refused }) => refused === "image",
    "image-only": ({ refused }) => refused === "protocol",
  },
});

/** The statuses that are worth a request. */
interface StatusHints {
  readonly image: readonly string[];
  readonly protocol: readonly string[];
}

/** The statuses that rows show under any name; all of them where rows show none at all. */
function hintsOf(photos: readonly JsonObject[], protocols: readonly JsonObject[]): StatusHints | undefined {
  const image = statusesIn(photos, IMAGE_ONLY);
  const protocol = statusesIn(protocols, PROTOCOL_ONLY);
  return image.length + protocol.length === 0 ? undefined : { image, protocol };
}

function statusesIn(rows: readonly JsonObject[], own: readonly string[]): readonly string[] {
  const values = new Set(rows.flatMap((row) => Object.values(row)));
  const isShown = [...own, ...SHARED].some((status) => values.has(status));
  return isShown ? own.filter((status) => values.has(status)) : own;
}

/**
 * A photo whose image has a status that no protocol can have is found by a shared value if the protocol is compared;
 * one whose protocol has a status that no image can have, if the image is.
 */
async function* sharedValues(
  reader: StatusReader,
  { image, protocol }: StatusHints,
): AsyncGenerator<Sighting<StatusSeen>, void> {
  const ofImage = await reader.all(image);
  const ofProtocol = await reader.all(protocol);
  const shared = await reader.all(SHARED);
  const imageOnly = [...ofImage].filter((key) => !ofProtocol.has(key));
  const protocolOnly = [...ofProtocol].filter((key) => !ofImage.has(key));
  for (const [side, keys] of [
    ["byProtocol", imageOnly],
    ["byImage", protocolOnly],
  ] as const) {
    const found = keys.filter((key) => shared.has(key)).length;
    // a status may have moved on between two requests: then some are found and some are not
    if (keys.length === 0 || (found > 0 && found < keys.length)) continue;
    const compared = side === "byProtocol" ? "protocol" : "image";
    const because = `A shared status ${found > 0 ? "finds" : "does not find"} photos by their ${compared} alone.`;
    const seen: StatusSeen = { [side]: found > 0 };
    yield keys.length > 1
      ? proof(seen, because, ...reader.exchanges)
      : sighting(seen, because, ...reader.exchanges);
  }
}
