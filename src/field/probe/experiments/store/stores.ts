import { pathSegment } from "../../../../wire/path-segment.ts";
import { bodyOf, isOk, rowsOf } from "../../exchange.ts";
import { experiment, conclusiveResult, tentativeResult } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import { storeOf } from "../../experiment-tools.ts";
import { externalIds, firstStore, idsOf, ratedStores, storePage, storePath, ALL_TIME } from "./data.ts";

export const cursorStart = experiment({
  gap: "stores.cursor-start",
  consent: "read",
  cost: 1,
  needs: "three stores",
  observe: async function* observe(tools) {
    const store = storeOf(tools);
    const known = rowsOf(await storePage(tools)).map(({ externalId }) => externalId);
    // stores without an external ID have a separate gap: stores.null-cursor
    const isId = (index: number): boolean => typeof known[index] === "string";
    const at = known.findIndex((_, index) => index > 0 && isId(index) && isId(index - 1));
    if (at < 0) throw new Missing("two stores with external IDs, one after the other");
    const limit = String(at);
    const page = await store.get("/v1/stores", { limit });
    const cursor = bodyOf(page).nextCursor;
    const last = rowsOf(page).at(-1)?.externalId;
    if (typeof cursor !== "string" || typeof last !== "string") throw new Missing("a page with a cursor");
    // the whole list shows the first store of the next page, unless a store was created meanwhile
    const expected = known.includes(last) ? known[known.indexOf(last) + 1] : undefined;
    // if the cursor is the last ID, the next page is needed: another writer may have changed the list
    if (cursor === expected && cursor !== last)
      yield tentativeResult(
        { cursor, last, next: expected },
        `A page that ends with "${last}" has the cursor "${cursor}".`,
        page,
      );
    const following = await store.get("/v1/stores", { limit, cursor });
    const [next] = idsOf(following);
    const reason = `A page that ends with "${last}" has the cursor "${cursor}", and the next page begins with "${next}".`;
    yield conclusiveResult({ cursor, last, next: String(next) }, reason, page, following);
  },
  readings: {
    after: ({ cursor, last, next }) => cursor === last && next !== last,
    at: ({ cursor, last, next }) => cursor !== last && cursor === next,
  },
});

interface UnknownCursor {
  status: number;
  isNextGreater: boolean;
  isEmpty: boolean;
}

const collator = new Intl.Collator("en");

/** Whether a page begins at the position of an ID that does not exist. */
function beginsAfter(known: readonly string[], cursor: string, first: string | undefined): boolean {
  const at = first === undefined ? -1 : known.indexOf(first);
  const [before, next] = [known[at - 1], known[at]];
  if (at < 1 || before === undefined || next === undefined) return false;
  const byCodeUnits = before < cursor && cursor < next;
  return byCodeUnits || (collator.compare(before, cursor) < 0 && collator.compare(cursor, next) < 0);
}

export const unknownCursor = experiment({
  gap: "stores.unknown-cursor",
  consent: "read-odd",
  cost: 1,
  needs: "three stores",
  observe: async function* observe(tools) {
    const known = await externalIds(tools);
    if (known.length < 3) throw new Missing("three stores");
    for (const before of known.slice(0, 2)) {
      const cursor = `${before}-${tools.marker}`;
      const page = await storeOf(tools).get("/v1/stores", { limit: "5", cursor });
      const observed: UnknownCursor = {
        status: page.status,
        isNextGreater: isOk(page) && beginsAfter(known, cursor, idsOf(page)[0]),
        isEmpty: isOk(page) && rowsOf(page).length === 0 && bodyOf(page).nextCursor === null,
      };
      yield conclusiveResult(
        observed,
        `A cursor that no store has got status ${page.status} and ${rowsOf(page).length} stores.`,
        page,
      );
    }
  },
  readings: {
    "next-greater": ({ isNextGreater }) => isNextGreater,
    reject: ({ status }) => status === 400,
    empty: ({ isEmpty }) => isEmpty,
  },
});

/** The number of pages that are read to find a store without an external ID. */
const MAX_PAGES = 3;

export const nullExternalId = experiment({
  gap: "stores.null-external-id",
  consent: "read",
  cost: 3,
  needs: "a store without external ID",
  examine: (exchange) => {
    if (exchange.operation !== "listStores" || !isOk(exchange)) return undefined;
    const isListed = rowsOf(exchange).some(({ externalId }) => externalId === null);
    return isListed
      ? conclusiveResult(true, "The list holds a store whose externalId is null.", exchange)
      : undefined;
  },
  observe: async function* observe(tools) {
    let page = await storePage(tools);
    for (let pages = 1; pages < MAX_PAGES; pages += 1) {
      const cursor = bodyOf(page).nextCursor;
      if (typeof cursor !== "string")
        throw new Missing("a store without external ID; the whole list shows none");
      page = await storeOf(tools).get("/v1/stores", { limit: "100", cursor });
      yield undefined;
    }
    // stores without an ID are usually last
    await storeOf(tools).get("/v1/stores", { limit: "100", cursor: "~~~~~~~~" });
    yield undefined;
    throw new Missing(`a store without external ID; ${MAX_PAGES} pages and the end of the list show none`);
  },
  readings: { "never-listed": (isListed) => !isListed, listed: (isListed) => isListed },
});

export const unknownMembers = experiment({
  gap: "requests.unknown-properties",
  consent: "read-odd",
  cost: 1,
  needs: "the list of stores",
  observe: async function* observe(tools) {
    const store = storeOf(tools);
    const parameter = { shelfleetProbe: "1" };
    const list = await store.get("/v1/stores", { limit: "1", ...parameter });
    yield tentativeResult(
      list.status,
      `A query parameter that is not in the contract got status ${list.status}.`,
      list,
    );
    const [id = ""] = await ratedStores(tools);
    const rates = await store.get("/v1/fill-rate", { ...ALL_TIME, externalIds: id, ...parameter });
    yield tentativeResult(
      rates.status,
      `GET /v1/fill-rate responded to it with status ${rates.status}.`,
      rates,
    );
  },
  readings: { ignored: (status) => status === 200, rejected: (status) => status === 400 },
});

export const checkOrder = experiment({
  gap: "requests.check-order",
  consent: "read-odd",
  cost: 1,
  needs: "the store API",
  observe: async function* observe(tools) {
    const store = storeOf(tools);
    const without = await store.get(storePath(tools.marker, "protocols"));
    yield conclusiveResult(
      without.status,
      `An unknown store's protocols without from and to: status ${without.status}.`,
      without,
    );
    const beyond = await store.get(storePath(tools.marker, "photos"), { ...ALL_TIME, limit: "0" });
    yield tentativeResult(
      beyond.status,
      `An unknown store's photos with limit 0: status ${beyond.status}.`,
      beyond,
    );
  },
  readings: { "not-found-first": (status) => status === 404, "invalid-first": (status) => status === 400 },
});

export const externalIdCharacters = experiment({
  gap: "stores.external-id-characters",
  consent: "read",
  cost: 1,
  needs: "a store whose external ID needs percent-encoding",
  observe: async function* observe(tools) {
    const odd = (await externalIds(tools)).filter((id) => id.isWellFormed() && pathSegment(id) !== id);
    if (odd.length === 0) throw new Missing("a store whose external ID needs percent-encoding");
    for (const id of odd.slice(0, 2)) {
      const exchange = await storeOf(tools).get(storePath(id));
      const isSame = isOk(exchange) && bodyOf(exchange).externalId === id;
      yield tentativeResult(
        isSame,
        `The store "${id}" was ${isSame ? "read" : "not read"} under its encoded ID.`,
        exchange,
      );
    }
  },
  readings: { any: (isSame) => isSame, plain: (isSame) => !isSame },
});

export const nullableMembers = experiment({
  gap: "responses.nullable-properties",
  consent: "read",
  cost: 1,
  needs: "contacts, expectations or expositions of which one has no value",
  examine: (exchange) => {
    const property = NULLABLE[exchange.operation ?? ""];
    if (property === undefined || !isOk(exchange)) return undefined;
    const rows = rowsOf(exchange);
    const nulls = rows.filter((row) => row[property] === null).length;
    const missing = rows.filter((row) => row[property] === undefined).length;
    if (nulls + missing === 0) return undefined;
    return tentativeResult(
      { nulls, missing },
      `${property} is null in ${nulls} and missing in ${missing} of ${rows.length} rows.`,
      exchange,
    );
  },
  observe: async function* observe(tools) {
    await firstStore(tools);
    for (const id of (await externalIds(tools)).slice(0, 4)) {
      for (const list of ["expositions", "contacts", "expectations"]) {
        await storeOf(tools).get(storePath(id, list));
        yield undefined;
      }
    }
    throw new Missing("contacts, expectations or expositions of which one has no value");
  },
  readings: {
    present: ({ nulls, missing }) => nulls > 0 && missing === 0,
    absent: ({ nulls, missing }) => missing > 0 && nulls === 0,
  },
});

const NULLABLE: Readonly<Record<string, string>> = {
  getContacts: "email",
  putContacts: "email",
  getExpectations: "productCategory",
  putExpectations: "productCategory",
  getExpositions: "friendlyTitle",
  putExpositions: "friendlyTitle",
};
