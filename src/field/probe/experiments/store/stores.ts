import { type OperationId, largestPage, STORES, storePath } from "../../../routes.ts";
import { control, hasStatus, isAnswer, succeeds } from "../../controls.ts";
import { bodyOf, isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, openParts, storeOf } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import { replaceableLists } from "./list-writes.ts";
import { isAcceptedWithout } from "./writes.ts";
import {
  RANGED,
  RATES,
  externalIds,
  fillRates,
  firstStore,
  getInRange,
  storePage,
  unknownIdLike,
} from "./data.ts";

/** The number of pages that are read to find a store without an external ID. */
const MAX_PAGES = 3;

export const nullExternalId = experiment({
  gap: "stores.null-external-id",
  cost: 3,
  needs: "a store without external ID",
  assumes: "A store whose externalId is null has no external ID.",
  examine: (exchange) => {
    if (exchange.operation !== "listStores" || !isOk(exchange)) return undefined;
    if (!rowsOf(exchange).some(({ externalId }) => externalId === null)) return undefined;
    const reason = "The list holds a store whose externalId is null.";
    return { subject: "stores", observed: true, reason };
  },
  observe: async function* observe(tools) {
    let page = await storePage(tools);
    yield undefined;
    for (let pages = 1; pages < MAX_PAGES; pages += 1) {
      const cursor = bodyOf(page).nextCursor;
      if (typeof cursor !== "string")
        throw new Missing("a store without external ID; the whole list shows none");
      page = await storeOf(tools).get(STORES, { ...largestPage(STORES), cursor });
      yield undefined;
    }
    // stores without an ID are usually last
    await storeOf(tools).get(STORES, { ...largestPage(STORES), cursor: "~~~~~~~~" });
    yield undefined;
    throw new Missing(`a store without external ID; ${MAX_PAGES} pages and the end of the list show none`);
  },
  readings: { "never-listed": false, listed: true },
});

const PARAMETER = { shelfleetProbe: "1" } as const;

/** Sends a property that is not in the contract, in a list that can be replaced. */
async function* unknownInBody(tools: ExperimentTools) {
  for await (const { scratch, name, row } of replaceableLists(tools)) {
    const plain = await scratch.lists.set(name, [row]);
    const exchange = await scratch.lists.put(name, [{ ...row, ...PARAMETER }]);
    const isAccepted = await isAcceptedWithout(scratch, exchange, () => scratch.lists.put(name, [row]));
    const isDropped = control(
      "the property is not stored",
      !("shelfleetProbe" in (rowsOf(exchange)[0] ?? {})),
    );
    const reason = `A property of ${name} that is not in the contract got status ${exchange.status}.`;
    const controls = [succeeds(plain), isAccepted, isDropped, isAnswer(exchange)] as const;
    yield observation("bodies", exchange.status, reason, controls, plain, exchange);
    return;
  }
}

export const unknownProperties = experiment({
  gap: "requests.unknown-properties",
  cost: 1,
  needs: "the list of stores",
  assumes: "The service treats every parameter and property that it does not know in the same way.",
  parts: ["stores", "fill rates", "bodies"],
  observe: async function* observe(tools) {
    const store = storeOf(tools);
    const page = await storePage(tools);
    const list = await tools.ask(store, STORES, { ...page.query, ...PARAMETER });
    const reason = `A query parameter that is not in the contract got status ${list.status}.`;
    yield observation("stores", list.status, reason, [succeeds(page), isAnswer(list)], page, list);
    const base = await fillRates(tools);
    const rates = await tools.ask(store, RATES, { ...base.query, ...PARAMETER });
    const other = `GET /v1/fill-rate responded to it with status ${rates.status}.`;
    yield observation("fill rates", rates.status, other, [succeeds(base), isAnswer(rates)], base, rates);
    if (tools.scratch !== undefined) yield* unknownInBody(tools);
  },
  readings: { ignored: 200, rejected: 400 },
});

export const checkOrder = experiment({
  gap: "requests.check-order",
  cost: 2.5,
  needs: "a store",
  assumes: "The service checks bodies in the same order as queries.",
  parts: RANGED,
  observe: async function* observe(tools) {
    const store = storeOf(tools);
    const id = await firstStore(tools);
    for (const list of openParts(tools, RANGED)) {
      const path = storePath(id, list);
      const isRates = list === "fill-rates";
      const valid = await getInRange(tools, isRates ? "rates" : list, path, isRates ? {} : largestPage(path));
      const invalid = await store.get(path);
      const unknownPath = storePath(unknownIdLike(tools, id), list);
      const unknown = await store.get(unknownPath, valid.query);
      const both = await tools.ask(store, unknownPath);
      const reason = `The ${list} of an unknown store without from and to: status ${both.status}.`;
      const controls = [
        succeeds(valid),
        hasStatus(invalid, 400),
        hasStatus(unknown, 404),
        isAnswer(both),
      ] as const;
      yield observation(list, both.status, reason, controls, invalid, unknown, both);
    }
  },
  readings: { "not-found-first": 404, "invalid-first": 400 },
});

const NULLABLE_LISTS = ["expositions", "contacts", "expectations"] as const;

export const nullableProperties = experiment({
  gap: "responses.nullable-properties",
  cost: 1,
  needs: "contacts, expectations or expositions of which one has no value",
  assumes: "One property of each list shows how the service returns all that can be null.",
  mayVary: true,
  parts: NULLABLE_LISTS,
  examine: (exchange) => {
    const property = exchange.operation && NULLABLE[exchange.operation];
    if (property === undefined || !isOk(exchange)) return undefined;
    const rows = rowsOf(exchange);
    const nulls = rows.filter((row) => row[property] === null).length;
    const missing = rows.filter((row) => row[property] === undefined).length;
    if (nulls + missing === 0) return undefined;
    const reason = `${property} is null in ${nulls} and missing in ${missing} of ${rows.length} rows.`;
    const subject = NULLABLE_LISTS.find((list) => exchange.path.endsWith(`/${list}`)) ?? "";
    return { subject, observed: { nulls, missing }, reason };
  },
  observe: async function* observe(tools) {
    await firstStore(tools);
    for (const id of (await externalIds(tools)).slice(0, 4)) {
      for (const list of openParts(tools, NULLABLE_LISTS)) {
        await storeOf(tools).get(storePath(id, list));
        yield undefined;
      }
    }
  },
  readings: {
    present: ({ nulls, missing }) => nulls > 0 && missing === 0,
    absent: ({ nulls, missing }) => missing > 0 && nulls === 0,
  },
});

const NULLABLE: Readonly<Partial<Record<OperationId, string>>> = {
  getContacts: "email",
  putContacts: "email",
  getExpectations: "productCategory",
  putExpectations: "productCategory",
  getExpositions: "friendlyTitle",
  putExpositions: "friendlyTitle",
};
