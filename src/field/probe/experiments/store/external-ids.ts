import { pathSegment } from "../../../../wire/path-segment.ts";
import { storePath } from "../../../routes.ts";
import { control, isAnswer, isShown, succeeds } from "../../controls.ts";
import { bodyOf, isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, openEntries, openParts, storeOf } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import { RATES, externalIds, getInRange, idsOf, listIn, storePage } from "./data.ts";

const ODD_IDS = ["without a slash", "with a slash"] as const;

export const externalIdCharacters = experiment({
  gap: "stores.external-id-characters",
  cost: 1,
  needs: "a store whose external ID needs percent-encoding",
  assumes: "A store that is listed before and after can be read if its ID is understood.",
  parts: ODD_IDS,
  observe: async function* observe(tools) {
    const all = await externalIds(tools);
    const plain = all.find((id) => pathSegment(id) === id);
    const odd = all.filter((id) => id.isWellFormed() && pathSegment(id) !== id);
    if (odd.length === 0) throw new Missing("a store whose external ID needs percent-encoding");
    for (const part of openParts(tools, ODD_IDS)) {
      const id = odd.find((other) => other.includes("/") === (part === "with a slash"));
      if (id === undefined) continue;
      const exchange = await tools.ask(storeOf(tools), storePath(id));
      const isSame = isOk(exchange) && bodyOf(exchange).externalId === id;
      const after = isSame ? all : idsOf(await storePage(tools, { fresh: true }));
      const other = plain === undefined ? exchange : await storeOf(tools).get(storePath(plain));
      const reason = `The store "${id}" was ${isSame ? "read" : "not read"} under its encoded ID.`;
      const isListed = control("the store is still listed", after.includes(id));
      const isRead = control(
        "a store with another ID can be read",
        isSame || (plain !== undefined && isOk(other)),
      );
      yield observation(part, isSame, reason, [isListed, isRead, isAnswer(exchange)], exchange);
    }
  },
  readings: { any: true, plain: false },
});

/** Other spellings of the external ID of a store. */
const SPELLINGS = {
  "in the other case": swapCase,
  "with a blank at its end": (id: string) => `${id} `,
  "with a blank at its beginning": (id: string) => ` ${id}`,
};

const IN_QUERY = "in the other case, in externalIds";

/** Asks for the fill rates of a store by its ID in the other case. */
async function* otherCaseInQuery(tools: ExperimentTools, id: string) {
  const own = await getInRange(tools, "rates", RATES, { externalIds: id });
  // the rates of several stores would not depend on the ID
  if (listIn(own)?.rows.length !== 1) return;
  const exchange = await tools.ask(storeOf(tools), RATES, { ...own.query, externalIds: swapCase(id) });
  const isSame = isOk(exchange) && listIn(exchange)?.rows.length === 1;
  const isKnown = control("the status is 200 or 400", isOk(exchange) || exchange.status === 400);
  const reason = `The store "${id}" ${isSame ? "has" : "does not have"} its ID ${IN_QUERY}.`;
  yield observation(IN_QUERY, { isCase: true, isSame }, reason, [succeeds(own), isKnown], own, exchange);
}

/** Whether the ID has the form in which a service stores it under the reading `normalized`. */
function isNormalized(id: string): boolean {
  return id === id.toLowerCase().normalize("NFC").trim();
}

function swapCase(id: string): string {
  return id.replaceAll(/[a-z]/gi, (char) => (char >= "a" ? char.toUpperCase() : char.toLowerCase()));
}

export const externalIdEquality = experiment({
  gap: "stores.external-id-equality",
  cost: 2.3,
  needs: "two stores whose external IDs have letters",
  assumes: "No store has the other spelling as its own ID.",
  parts: [...Object.keys(SPELLINGS), IN_QUERY],
  observe: async function* observe(tools) {
    const page = await storePage(tools);
    const ids = idsOf(page);
    const store = storeOf(tools);
    const lettered = ids.filter((id) => /^[\w-]*[a-z][\w-]*$/i.test(id) && !ids.includes(swapCase(id)));
    for (const id of lettered.slice(0, 2)) {
      let isThere = false;
      const open = openEntries(tools, SPELLINGS);
      // the observations of one store may all have been placed alike
      for (const [name, spell] of open.length > 0 ? open : Object.entries(SPELLINGS)) {
        const exchange = await tools.ask(store, storePath(spell(id)));
        const row = rowsOf(page).find(({ externalId }) => externalId === id);
        const isSame = isOk(exchange) && bodyOf(exchange).storeId === row?.storeId;
        isThere ||= isSame;
        const own = await store.get(storePath(id), {}, { fresh: !isThere });
        const isKnown = control("the status is 200 or 404", isSame || exchange.status === 404);
        const reason = `The store "${id}" ${isSame ? "has" : "does not have"} its ID ${name}.`;
        const isCase = name === "in the other case";
        // under `normalized` the service would not show this ID, so that the part stays open
        const subject = isSame && !isCase && !isNormalized(id) ? `${name}, in another form` : name;
        const observed = { isCase, isSame };
        yield observation(subject, observed, reason, [succeeds(own), isKnown, isShown(own)], own, exchange);
      }
      // the first round asks as little as possible
      if (tools.round > 1 && !tools.isSeen(IN_QUERY)) yield* otherCaseInQuery(tools, id);
    }
  },
  readings: {
    exact: { isSame: false },
    "ignore-case": ({ isCase, isSame }) => isCase === isSame,
    normalized: { isSame: true },
  },
});
