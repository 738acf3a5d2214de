import { bodyOf, isOk, rowsOf } from "../../exchange.ts";
import { experiment, conclusiveResult, tentativeResult } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import type { JsonObject } from "../../json.ts";
import { storeOf } from "../../experiment-tools.ts";
import { ALL_TIME, firstStore, storePath, storesWithProtocols } from "./data.ts";
import { UUID, instantOf, isDateTime, keysOf, findLabelProperty, timeProperties } from "./identity.ts";
import { shiftTime } from "./ranges.ts";

const IDS = ["protocolId", "id"] as const;

/** The properties whose value is accepted as the ID in the path of a protocol. */
interface IdProperties {
  readonly accepted: readonly string[];
  /** Such properties other than `protocolId` and `id`. */
  readonly others: readonly string[];
}

/** Returns the properties that could be an ID: different strings in most rows that are not times. */
function findIdCandidates(rows: readonly JsonObject[]): string[] {
  const names = Object.keys(rows[0] ?? {}).filter((name) => !["protocolId", "id"].includes(name));
  const unique = names.filter((name) => {
    const values = rows.map((row) => row[name]);
    const areIds = values.every((value) => ["string", "number"].includes(typeof value) && !isDateTime(value));
    return areIds && new Set(values).size > rows.length / 2;
  });
  return unique.toSorted((a, b) => Number(/id$/i.test(b)) - Number(/id$/i.test(a))).slice(0, 2);
}

export const idMember = experiment({
  gap: "protocols.id-property",
  consent: "read",
  cost: 1,
  needs: "two stores with protocols",
  observe: async function* observe(tools) {
    for await (const { externalId, rows, exchange } of storesWithProtocols(tools, 2)) {
      const row = rows[0] ?? {};
      const named = IDS.filter((name) => rows.every((one) => typeof one[name] === "string"));
      const accepted: string[] = [];
      const others: string[] = [];
      const evidence = [exchange];
      for (const name of named.length > 0 ? named : findIdCandidates(rows)) {
        const detail = await storeOf(tools).get(storePath(externalId, "protocols", String(row[name])));
        evidence.push(detail);
        if (isOk(detail)) (named.length > 0 ? accepted : others).push(name);
      }
      const observed: IdProperties = { accepted, others };
      if (named.length > 0) {
        yield conclusiveResult(
          observed,
          `A protocol can be read by its ${accepted.join(" and ") || "no property"}.`,
          ...evidence,
        );
      } else {
        const reason =
          others.length > 0
            ? `A protocol can be read by its ${others.join()}.`
            : "No property of a protocol is an ID.";
        yield tentativeResult(observed, reason, ...evidence);
      }
    }
    throw new Missing("two stores with two protocols");
  },
  readings: {
    protocolId: ({ accepted }) => accepted.includes("protocolId"),
    id: ({ accepted }) => accepted.includes("id"),
    anonymous: ({ accepted, others }) => accepted.length === 0 && others.length === 0,
  },
});

export const idFormat = experiment({
  gap: "protocols.id-format",
  consent: "read",
  cost: 1,
  needs: "protocols that carry an ID",
  examine: (exchange) => {
    if (exchange.operation !== "listProtocols" || !isOk(exchange)) return undefined;
    const ids = rowsOf(exchange).map((row) => row.protocolId ?? row.id);
    if (ids.length === 0 || ids.some((id) => typeof id !== "string")) return undefined;
    const uuids = ids.filter((id) => UUID.test(String(id))).length;
    const reason = `${uuids} of ${ids.length} protocol IDs are UUIDs.`;
    const observed = { uuids, others: ids.length - uuids };
    return observed.others > 0
      ? conclusiveResult(observed, reason, exchange)
      : tentativeResult(observed, reason, exchange);
  },
  observe: async function* observe(tools) {
    for await (const { rows } of storesWithProtocols(tools, 1)) {
      yield undefined;
      // gap protocols.id-property: the protocols of other stores also lack an ID
      if (rows.every((row) => (row.protocolId ?? row.id) === undefined)) break;
    }
    throw new Missing("protocols that carry an ID");
  },
  readings: { text: ({ others }) => others > 0, uuid: ({ uuids, others }) => uuids > 0 && others === 0 },
});

interface NextPage {
  readonly status: number;
  readonly isSamePage: boolean;
  readonly isNextPage: boolean;
  readonly isSameCursor: boolean;
}

export const nextPage = experiment({
  gap: "protocols.next-page",
  consent: "read-odd",
  cost: 2,
  needs: "a store with two protocols that can be distinguished",
  observe: async function* observe(tools) {
    const store = storeOf(tools);
    for await (const { path, rows } of storesWithProtocols(tools, 2)) {
      const property = findLabelProperty(rows, IDS);
      if (property === undefined) continue;
      const known = keysOf(rows, property);
      const page = await store.get(path, { ...ALL_TIME, limit: "1" });
      const cursor = bodyOf(page).nextCursor;
      if (typeof cursor !== "string" || rowsOf(page).length !== 1 || known[0] === known[1]) continue;
      const next = await store.get(path, { ...ALL_TIME, limit: "1", cursor });
      const [key] = keysOf(rowsOf(next), property);
      const observed: NextPage = {
        status: next.status,
        isSamePage: isOk(next) && key === known[0] && key === keysOf(rowsOf(page), property)[0],
        isNextPage: isOk(next) && key === known[1],
        isSameCursor: bodyOf(next).nextCursor === cursor,
      };
      const reason = `A cursor on the protocol list: status ${next.status}, ${pageName(observed)}.`;
      yield conclusiveResult(observed, reason, page, next);
    }
    throw new Missing("two stores with two protocols that can be distinguished");
  },
  readings: {
    cursor: ({ isNextPage }) => isNextPage,
    ignored: ({ isSamePage, isSameCursor }) => isSamePage && isSameCursor,
    "ignored-new-cursor": ({ isSamePage, isSameCursor }) => isSamePage && !isSameCursor,
    rejected: ({ status }) => status === 400,
  },
});

function pageName({ isSamePage, isNextPage, isSameCursor }: NextPage): string {
  if (isNextPage) return "the next page";
  if (!isSamePage) return "no known page";
  return `the first page with ${isSameCursor ? "the same" : "another"} cursor`;
}

/** The number of sorted instants that is unlikely to occur by chance. */
const ROWS_FOR_HINT = 4;
const ROWS_FOR_PROOF = 6;

/** Whether instants are ascending or descending; `undefined` if they are neither. */
function directionOf(times: readonly string[]): "rise" | "fall" | undefined {
  const steps = times.slice(1).map((time, at) => instantOf(time) - instantOf(times[at] ?? time));
  if (steps.every((step) => step >= 0)) return "rise";
  return steps.every((step) => step <= 0) ? "fall" : undefined;
}

/** Whether the older part of a list is at its beginning or at its end. */
interface Order {
  readonly isPrefix: boolean;
  readonly isSuffix: boolean;
}

export const order = experiment<"protocols.order", Order>({
  gap: "protocols.order",
  consent: "read",
  cost: 1,
  needs: "a store with three protocols at different times",
  examine: (exchange) => {
    if (exchange.operation !== "listProtocols" || !isOk(exchange)) return undefined;
    const rows = rowsOf(exchange);
    const time = timeProperties(rows).find((name) => directionOf(keysOf(rows, name)) !== undefined);
    if (time === undefined) return undefined;
    const times = keysOf(rows, time);
    const count = new Set(times.map(instantOf)).size;
    if (count < ROWS_FOR_HINT) return undefined;
    const isRising = directionOf(times) === "rise";
    const observed = { isPrefix: isRising, isSuffix: !isRising };
    const reason = `The ${count} different values of ${time} in a list ${isRising ? "rise" : "fall"}.`;
    return count < ROWS_FOR_PROOF
      ? tentativeResult(observed, reason, exchange)
      : conclusiveResult(observed, reason, exchange);
  },
  observe: async function* observe(tools) {
    for await (const { path, rows } of storesWithProtocols(tools, 3)) {
      const property = findLabelProperty(rows, IDS);
      const [time] = timeProperties(rows);
      if (property === undefined || time === undefined) continue;
      const known = keysOf(rows, property);
      const middle = keysOf(rows, time).toSorted((a, b) => instantOf(a) - instantOf(b))[1] ?? ALL_TIME.to;
      const early = await storeOf(tools).get(path, {
        from: ALL_TIME.from,
        to: shiftTime(middle, 0),
        limit: "100",
      });
      const keys = keysOf(rowsOf(early), property);
      const isPart = keys.length > 0 && keys.length < known.length;
      const isPrefix = isPart && String(keys) === String(known.slice(0, keys.length));
      const isSuffix = isPart && String(keys) === String(known.slice(-keys.length));
      if (!isPart) continue;
      const place = isPrefix ? "beginning" : "end";
      yield conclusiveResult(
        { isPrefix, isSuffix },
        `The protocols before ${middle} are at the ${place} of the list.`,
        early,
      );
    }
    throw new Missing("a store with three protocols at different times");
  },
  readings: {
    "oldest-first": ({ isPrefix, isSuffix }) => isPrefix && !isSuffix,
    "newest-first": ({ isPrefix, isSuffix }) => isSuffix && !isPrefix,
  },
});

export const expositionId = experiment({
  gap: "fill-rates.exposition-id",
  consent: "read-odd",
  cost: 1,
  needs: "a store",
  observe: async function* observe(tools) {
    const id = await firstStore(tools);
    const path = (exposition: string): string => storePath(id, "expositions", exposition, "fill-rate");
    const exchange = await storeOf(tools).get(path("not-a-uuid"), ALL_TIME);
    const reason = `An exposition ID that is not a UUID: status ${exchange.status}.`;
    yield tentativeResult(exchange.status, reason, exchange);
    // a service without this operation would respond in the same way
    const control = await storeOf(tools).get(path(tools.uuid()), ALL_TIME);
    if (control.status !== 404) throw new Missing("404 for an unknown exposition");
    yield conclusiveResult(exchange.status, reason, control, exchange);
  },
  readings: { invalid: (status) => status === 400, "not-found": (status) => status === 404 },
});
