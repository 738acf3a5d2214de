import type { JsonObject } from "../../../../wire/json.ts";
import { isUuid } from "../../../../wire/uuid.ts";
import { largestPage, storePath } from "../../../routes.ts";
import { control, isAnswer, isShown, succeeds } from "../../controls.ts";
import { type Exchange, bodyOf, isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, storeOf } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import { compareUrls, urlsIn } from "../urls.ts";
import { type StoreList, externalIds, getInRange, listStays, photosIn, storesWithPhotos } from "./data.ts";
import { type TimeOrder, findUniqueProperty, instantOf, timeOrders } from "./identity.ts";
import { PROTOCOL_ONLY } from "./photo-status.ts";
import { PHOTO_IDS } from "./photos.ts";
import { shiftTime, timesIn } from "./ranges.ts";

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
      const again = await readAgain(tools, list);
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

/** A range that is compared with a precision of a minute contains, with this margin, what it would contain otherwise. */
const MARGIN = 2 * 60_000;

const OTHERS = ["failed", "processing", "uploaded"] as const;

export const unfilteredStatus = experiment({
  gap: "lists.unfiltered-status",
  cost: 1.5,
  needs: "protocols or photos that show a status other than completed",
  assumes: "The property status of protocols and photos is the one that the parameter compares with.",
  everyEntity: true,
  examine: (exchange) => {
    const isList = exchange.operation === "listProtocols" || exchange.operation === "listPhotos";
    if (!isList || !isOk(exchange) || exchange.query.status !== undefined) return undefined;
    const isPhotos = exchange.operation === "listPhotos";
    const rows = isPhotos ? photosIn(exchange) : rowsOf(exchange);
    // a photo of a completed protocol can have any status of an image
    const isOther = (status: string): boolean =>
      isPhotos ? PROTOCOL_ONLY.some((value) => value === status) : status !== "completed";
    const others = rows.filter(({ status }) => typeof status === "string" && isOther(status)).length;
    if (others === 0) return undefined;
    const reason = `${others} of ${rows.length} rows of a list without status are not completed.`;
    return { observed: true, reason };
  },
  observe: async function* observe(tools) {
    for (const id of (await externalIds(tools)).slice(0, 3)) {
      const path = storePath(id, "protocols");
      const base = await getInRange(tools, "protocols", path, largestPage(path));
      yield undefined;
      const isCompleted = rowsOf(base).every(({ status }) => status === "completed");
      if (!isOk(base) || rowsOf(base).length === 0 || !isCompleted) continue;
      for (const status of OTHERS.slice(0, 2)) {
        const found = await storeOf(tools).get(path, { ...base.query, status });
        const [row] = rowsOf(found);
        const times = timesIn(row ?? {}).toSorted((a, b) => instantOf(a) - instantOf(b));
        const [first, last = first] = [times[0], times.at(-1)];
        if (!isOk(found) || first === undefined || last === undefined) continue;
        // a list that ends early may lack others, so both are asked about the times of one of them
        const near = { ...base.query, from: shiftTime(first, -MARGIN), to: shiftTime(last, MARGIN) };
        const again = await tools.ask(storeOf(tools), path, near, { fresh: true });
        const own = await storeOf(tools).get(path, { ...near, status });
        const isLeftOut = rowsOf(again).every((other) => other.status === "completed");
        const hasStatus = control(
          "a range around the times of a found protocol contains it",
          rowsOf(own).length > 0 && rowsOf(own).every((other) => other.status === status),
        );
        const isWhole = control("the list has one page", (bodyOf(again).nextCursor ?? null) === null);
        const reason = `The list without status lacks the protocols with the status ${status}.`;
        const controls = [hasStatus, isWhole, succeeds(again)] as const;
        yield observation(path, !isLeftOut, reason, controls, base, own, again);
        break;
      }
    }
  },
  readings: { every: true, "completed-only": false },
});

/** Reads a photo list under two URLs, so that no cache returns the second response. */
async function readAgain(tools: ExperimentTools, { path, exchange }: StoreList): Promise<Exchange> {
  return tools.ask(storeOf(tools), path, { ...exchange.query, limit: String(499 - tools.round) });
}

const SHOWING_URLS = "two stores with photos that show a URL";

export const photoUrls = experiment({
  gap: "photos.urls",
  cost: 1.4,
  chance: 0.4,
  after: ["photos.page-shape"],
  needs: SHOWING_URLS,
  assumes: "A URL that is the same in two responses stays the same.",
  everyEntity: true,
  observe: async function* observe(tools) {
    for await (const list of storesWithPhotos(tools, 1)) {
      const key = findUniqueProperty(list.rows, PHOTO_IDS);
      if (key === undefined) continue;
      // the photos of other stores also lack a URL
      if (urlsIn(list.rows, key).size === 0) throw new Missing(SHOWING_URLS);
      const again = await readAgain(tools, list);
      const { observed, reason } = compareUrls(urlsIn(list.rows, key), urlsIn(photosIn(again), key));
      const isKnown = control("both lists have the photos", observed.compared > 0);
      yield observation(list.externalId, observed, reason, [succeeds(again), isKnown], list.exchange, again);
    }
  },
  readings: {
    lasting: { kind: "lasting" },
    signed: { kind: "signed" },
    relative: { kind: "relative" },
  },
});
