import { type JsonObject, objectsIn } from "../../../../wire/json.ts";
import { isUuid } from "../../../../wire/uuid.ts";
import { largestPage, storePath } from "../../../routes.ts";
import { control, isAnswer, isShown, succeeds } from "../../controls.ts";
import { type Exchange, bodyOf, isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, openParts, storeOf } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import { compareUrls, urlsIn } from "../urls.ts";
import { type StoreList, getInRange, listStays, photosIn, storesWithPhotos } from "./data.ts";
import { PHOTO_IDS, type TimeOrder, findUniqueProperty, timeOrders } from "./identity.ts";

/** The number of sorted times that is unlikely to occur by chance. */
const MIN_SORTED = 6;

type Direction = TimeOrder["direction"];

export const photoOrder = experiment({
  gap: "photos.order",
  cost: 1.2,
  chance: 0.8,
  after: ["photos.page-shape"],
  needs: `two stores with photos at ${MIN_SORTED} different times`,
  assumes: "Photos are sorted by a time that they or their protocols show, or by none.",
  everyEntity: true,
  observe: async function* observe(tools) {
    for await (const list of storesWithPhotos(tools, MIN_SORTED)) {
      const [own, ...others] = directionsOf(list.rows);
      // photos in the order of their protocols can show times in no order
      const direction = own === "none" ? await directionOfProtocols(tools, list) : own;
      if (direction === undefined) continue;
      // the first round asks as little as possible
      const again = tools.round === 1 ? list.exchange : await readAgain(tools, list);
      const isSame = control(
        "the list stays the same",
        String(photosIn(again).length) === String(list.rows.length),
      );
      const isOne = control("all times of the photos have one direction", others.length === 0);
      const whose = own === direction ? "" : " the protocols of";
      const reason = `The times of${whose} ${list.rows.length} photos have the direction ${direction}.`;
      yield observation(list.externalId, direction, reason, [isSame, isOne], list.exchange, again);
    }
    throw new Missing(`two stores with photos at ${MIN_SORTED} different times`);
  },
  readings: {
    "oldest-first": "rising",
    "newest-first": "falling",
    unordered: "none",
  },
});

function directionsOf(rows: readonly JsonObject[]): Direction[] {
  return [...new Set(timeOrders(rows, MIN_SORTED).map(({ direction }) => direction))];
}

/** Returns the direction of the times of the protocols of photos; undefined if they are not known. */
async function directionOfProtocols(
  tools: ExperimentTools,
  { externalId, rows }: StoreList,
): Promise<Direction | undefined> {
  const path = storePath(externalId, "protocols");
  const protocols = rowsOf(await getInRange(tools, "protocols", path, largestPage(path)));
  const byId = new Map(protocols.map((protocol) => [protocol.protocolId ?? protocol.id, protocol]));
  const directions = directionsOf(rows.map(({ protocolId }) => byId.get(protocolId) ?? {}));
  const [sorted = directions[0], ...others] = directions.filter((direction) => direction !== "none");
  return others.length === 0 ? sorted : undefined;
}

/** Returns an ID of the form of another one that no entity has. */
function unknownLike(tools: ExperimentTools, id: string): string {
  return [id].some(isUuid) ? tools.uuid() : `${id}-${tools.marker}`;
}

export const unknownIds = experiment({
  gap: "photos.unknown-ids",
  cost: 2,
  chance: 0.8,
  after: ["photos.page-shape"],
  needs: "photos that show their protocols and expositions",
  assumes: "An ID of the form of a known one is checked like it.",
  everyEntity: true,
  observe: async function* observe(tools) {
    for await (const list of storesWithPhotos(tools, 1)) {
      for (const name of ["protocolId", "expositionId"]) {
        const id = list.rows.map((row) => row[name]).find((value) => typeof value === "string");
        if (id === undefined) continue;
        const { path, exchange: base } = list;
        const known = await storeOf(tools).get(path, { ...base.query, [name]: id });
        const exchange = await tools.ask(storeOf(tools), path, {
          ...base.query,
          [name]: unknownLike(tools, id),
        });
        const count = photosIn(exchange).length;
        const reason = `Photos of an unknown ${name}: status ${exchange.status}, ${count} photos.`;
        const isPositive = control(`a known ${name} finds photos`, photosIn(known).length > 0);
        const isStill = isOk(exchange) ? isShown(exchange) : await listStays(tools, list);
        const observed = { status: exchange.status, count };
        yield observation(name, observed, reason, [isPositive, isStill, isAnswer(exchange)], known, exchange);
      }
    }
  },
  readings: {
    empty: { status: 200, count: 0 },
    invalid: { status: 400 },
    "not-found": { status: 404 },
  },
});

/** Reads a photo list under two URLs, so that no cache returns the second response. */
async function readAgain(tools: ExperimentTools, { path, exchange }: StoreList): Promise<Exchange> {
  return tools.ask(storeOf(tools), path, { ...exchange.query, limit: String(499 - tools.round) });
}

/** Reads the protocol of the first photo of a list, whose images may be the same photos. */
async function readProtocol(tools: ExperimentTools, { externalId, rows }: StoreList): Promise<Exchange> {
  const id = rows[0]?.protocolId;
  if (typeof id !== "string") throw new Missing("photos that show their protocol");
  return tools.ask(storeOf(tools), storePath(externalId, "protocols", id));
}

const SHOWING_URLS = "photos, and images of a protocol, that show a URL";

export const photoUrls = experiment({
  gap: "photos.urls",
  cost: 1.4,
  chance: 0.4,
  after: ["photos.page-shape"],
  needs: SHOWING_URLS,
  assumes: "A URL that is the same in two responses stays the same.",
  parts: ["photos", "images"],
  observe: async function* observe(tools) {
    for await (const list of storesWithPhotos(tools, 1)) {
      const key = findUniqueProperty(list.rows, PHOTO_IDS);
      if (key === undefined) continue;
      // the photos of other stores also lack a URL
      if (urlsIn(list.rows, key).size === 0) throw new Missing(SHOWING_URLS);
      for (const part of openParts(tools, ["photos", "images"])) {
        const isList = part === "photos";
        const again = await (isList ? readAgain(tools, list) : readProtocol(tools, list));
        const rows = isList ? photosIn(again) : objectsIn(bodyOf(again).images);
        const { observed, reason } = compareUrls(urlsIn(list.rows, key), urlsIn(rows, key));
        yield observed.compared === 0
          ? undefined
          : observation(part, observed, reason, [succeeds(again)], list.exchange, again);
      }
    }
  },
  readings: {
    lasting: { kind: "lasting" },
    signed: { kind: "signed" },
    relative: { kind: "relative" },
  },
});
