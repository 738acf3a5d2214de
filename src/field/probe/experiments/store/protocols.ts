import { isUuid } from "../../../../wire/uuid.ts";
import { MALFORMED_IDS, largestPage, storePath } from "../../../routes.ts";
import { control, hasStatus, isAnswer, isShown, succeeds } from "../../controls.ts";
import { bodyOf, isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { openParts, storeOf } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import type { JsonObject } from "../../../../wire/json.ts";
import { fillRates, listStays, rangeOf, storeWithExposition, storesWithProtocols } from "./data.ts";
import { PROTOCOL_IDS, findLabelProperty, isDateTime, keysOf, sortingTime } from "./identity.ts";
import { firstPart } from "./ranges.ts";

/** The properties whose value is accepted as the ID in the path of a protocol. */
interface IdProperties {
  /** Whether the protocols have the properties `protocolId` or `id`. */
  readonly isNamed: boolean;
  readonly accepted: readonly string[];
}

/** Returns the properties that could be an ID: different strings in most rows that are not times. */
function findIdCandidates(rows: readonly JsonObject[]): string[] {
  const names = Object.keys(rows[0] ?? {});
  const unique = names.filter((name) => {
    const values = rows.map((row) => row[name]);
    const areIds = values.every((value) => ["string", "number"].includes(typeof value) && !isDateTime(value));
    return areIds && new Set(values).size > rows.length / 2;
  });
  return unique.toSorted((a, b) => Number(/id$/i.test(b)) - Number(/id$/i.test(a))).slice(0, 2);
}

export const idProperty = experiment<"protocols.id-property", IdProperties>({
  gap: "protocols.id-property",
  cost: 1,
  needs: "two stores with protocols",
  assumes: "All protocols have the same properties.",
  everyEntity: true,
  observe: async function* observe(tools) {
    for await (const list of storesWithProtocols(tools, 2)) {
      const { externalId, rows, exchange } = list;
      const row = rows[0] ?? {};
      const named = PROTOCOL_IDS.filter((name) => rows.every((item) => typeof item[name] === "string"));
      const accepted: string[] = [];
      const evidence = [exchange];
      for (const name of named.length > 0 ? named : findIdCandidates(rows)) {
        const detail = await tools.ask(storeOf(tools), storePath(externalId, "protocols", String(row[name])));
        evidence.push(detail);
        if (isOk(detail)) accepted.push(name);
      }
      const found = accepted.join(" and ") || "no property";
      const reason = `A protocol can be read by its ${found}.`;
      const basis = accepted.length > 0 ? isShown(exchange) : await listStays(tools, list);
      yield observation(externalId, { isNamed: named.length > 0, accepted }, reason, [basis], ...evidence);
    }
    throw new Missing("two stores with two protocols");
  },
  readings: {
    protocolId: ({ accepted }) => accepted.includes("protocolId"),
    id: ({ accepted }) => accepted.includes("id"),
    anonymous: ({ isNamed, accepted }) => !isNamed && accepted.length === 0,
  },
});

/** The number of UUIDs, in at least two stores, that other IDs are unlikely to be among. */
const MIN_UUIDS = 10;

export const idFormat = experiment<"protocols.id-format", boolean>({
  gap: "protocols.id-format",
  cost: 1,
  needs: `protocols that carry an ID; ${MIN_UUIDS} in two stores, if all of them are UUIDs`,
  assumes: `Of ${MIN_UUIDS} IDs in two stores one would not be a UUID, if the service had others.`,
  // UUIDs never prove that there are no other IDs
  everyEntity: true,
  examine: (exchange) => {
    if (exchange.operation !== "listProtocols" || !isOk(exchange)) return undefined;
    const ids = rowsOf(exchange).map((row) => row.protocolId ?? row.id);
    const others = ids.filter((id) => typeof id === "string" && !isUuid(id)).length;
    if (others === 0) return undefined;
    const reason = `${others} of ${ids.length} protocol IDs are not UUIDs.`;
    return { observed: false, reason };
  },
  observe: async function* observe(tools) {
    const stores = new Map<string, number>();
    for await (const { externalId, rows, exchange } of storesWithProtocols(tools, 1)) {
      const ids = rows.map((row) => row.protocolId ?? row.id);
      // gap protocols.id-property: the protocols of other stores also lack an ID
      if (ids.every((id) => id === undefined)) break;
      stores.set(externalId, ids.filter((id) => isUuid(String(id))).length);
      const count = [...stores.values()].reduce((sum, next) => sum + next, 0);
      const reason = `All ${count} protocol IDs of ${stores.size} stores are UUIDs.`;
      const isEnough = count >= MIN_UUIDS && stores.size > 1 && ids.every((id) => isUuid(String(id)));
      yield isEnough ? observation("all stores", true, reason, [isShown(exchange)], exchange) : undefined;
    }
    throw new Missing("protocols that carry an ID");
  },
  readings: { text: false, uuid: true },
});

interface NextPage {
  readonly status: number;
  readonly isSamePage: boolean;
  readonly isNextPage: boolean;
  readonly isSameCursor: boolean;
}

export const nextPage = experiment({
  gap: "protocols.next-page",
  cost: 2,
  needs: "a store with three protocols that can be distinguished",
  assumes: "A cursor works for all stores in the same way.",
  observe: async function* observe(tools) {
    const store = storeOf(tools);
    for await (const { path, rows, exchange, externalId } of storesWithProtocols(tools, 3)) {
      const property = findLabelProperty(rows, PROTOCOL_IDS);
      if (property === undefined) continue;
      const known = keysOf(rows, property);
      const page = await store.get(path, { ...exchange.query, limit: "2" });
      const cursor = bodyOf(page).nextCursor;
      if (typeof cursor !== "string" || rowsOf(page).length !== 2 || known[0] === known[1]) continue;
      const next = await tools.ask(store, path, { ...page.query, cursor });
      const [key] = keysOf(rowsOf(next), property);
      const observed: NextPage = {
        status: next.status,
        isSamePage: isOk(next) && key === known[0],
        // gap lists.cursor-position: the next page may begin with the last protocol again
        isNextPage: isOk(next) && (key === known[2] || key === known[1]),
        isSameCursor: bodyOf(next).nextCursor === cursor,
      };
      const reason = `A cursor on the protocol list: status ${next.status}, ${pageName(observed)}.`;
      const isFirst = control("the page begins the list", keysOf(rowsOf(page), property)[0] === known[0]);
      yield observation(externalId, observed, reason, [isFirst, isAnswer(next)], page, next);
    }
    throw new Missing("two stores with three protocols that can be distinguished");
  },
  readings: {
    cursor: { isNextPage: true },
    ignored: { isSamePage: true, isSameCursor: true },
    "ignored-new-cursor": { isSamePage: true, isSameCursor: false },
    rejected: { status: 400 },
  },
});

function pageName({ isSamePage, isNextPage, isSameCursor }: NextPage): string {
  if (isNextPage) return "the next page";
  if (!isSamePage) return "no known page";
  return `the first page with ${isSameCursor ? "the same" : "another"} cursor`;
}

/** The number of sorted instants that is unlikely to occur by chance. */
const MIN_SORTED = 4;

export const order = experiment<"protocols.order", boolean>({
  gap: "protocols.order",
  cost: 1.3,
  needs: `a store with ${MIN_SORTED} protocols at different times`,
  assumes: "The lists of all stores have the same order.",
  observe: async function* observe(tools) {
    for await (const { externalId, path, rows } of storesWithProtocols(tools, MIN_SORTED)) {
      const property = findLabelProperty(rows, PROTOCOL_IDS);
      const sorting = sortingTime(rows, MIN_SORTED);
      yield undefined;
      if (property === undefined || sorting === undefined) continue;
      const { name } = sorting;
      const isRising = sorting.direction === "rising";
      const { from, to } = firstPart(tools, rows, name);
      const early = await tools.ask(storeOf(tools), path, { from, to, ...largestPage(path) });
      const keys = keysOf(rowsOf(early), property);
      const known = keysOf(rows, property);
      const end = isRising ? known.slice(0, keys.length) : known.slice(-keys.length);
      const isPart = keys.length > 0 && keys.length < known.length && String(keys) === String(end);
      const place = isRising ? "beginning" : "end";
      const reason = `${name} ${isRising ? "rises" : "falls"}, and the protocols before ${to} are at the ${place} of the list.`;
      const isAtEnd = control(`the range to ${to} has the protocols at the ${place} of the list`, isPart);
      yield observation(externalId, isRising, reason, [succeeds(early), isAtEnd], early);
    }
    throw new Missing(`a store with ${MIN_SORTED} protocols at different times`);
  },
  readings: { "oldest-first": true, "newest-first": false },
});

export const expositionId = experiment({
  gap: "fill-rates.exposition-id",
  cost: 3,
  needs: "a store with an exposition",
  assumes: "Every ID that is not a UUID gets the same status.",
  parts: MALFORMED_IDS,
  observe: async function* observe(tools) {
    const { id, exposition } = await storeWithExposition(tools);
    const rate = (one: string): string => storePath(id, "expositions", one, "fill-rate");
    // the longest range that the service takes for fill rates
    await fillRates(tools);
    const range = rangeOf(tools, "rates");
    const unknown = await storeOf(tools).get(rate(tools.uuid()), range);
    for (const malformed of openParts(tools, MALFORMED_IDS)) {
      const exchange = await tools.ask(storeOf(tools), rate(malformed), range);
      const reason = `The exposition ID "${malformed}": status ${exchange.status}.`;
      // an exposition that was removed could also be a reason for a 404
      const known = exchange.status === 404 ? await storeOf(tools).get(rate(exposition), range) : unknown;
      const isKnown = known === unknown ? isAnswer(exchange) : succeeds(known);
      const controls = [isKnown, hasStatus(unknown, 404), isAnswer(exchange)] as const;
      yield observation(malformed, exchange.status, reason, controls, known, unknown, exchange);
    }
  },
  readings: { invalid: 400, "not-found": 404 },
});
