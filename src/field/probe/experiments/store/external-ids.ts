import { control, isAnswer, isShown, succeeds } from "../../controls.ts";
import { bodyOf, isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { storeOf, unseenFirst } from "../../experiment-tools.ts";
import { idsOf, storePage, storePath } from "./data.ts";

interface OtherSpelling {
  /** Whether the ID in the other case is that of the store, and whether the ID with a blank is. */
  readonly isCaseIgnored: boolean;
  readonly isTrimmed: boolean;
}

function swapCase(id: string): string {
  return id.replaceAll(/[a-z]/gi, (char) => (char >= "a" ? char.toUpperCase() : char.toLowerCase()));
}

export const externalIdEquality = experiment<"stores.external-id-equality", OtherSpelling>({
  gap: "stores.external-id-equality",
  cost: 2.3,
  needs: "two stores whose external IDs have letters",
  assumes: "No store has the other spelling as its own ID.",
  everyEntity: true,
  observe: async function* observe(tools) {
    const page = await storePage(tools);
    const ids = idsOf(page);
    const store = storeOf(tools);
    const lettered = ids.filter((id) => /^[\w-]*[a-z][\w-]*$/i.test(id) && !ids.includes(swapCase(id)));
    for (const id of unseenFirst(tools, lettered).slice(0, 2)) {
      const read = async (spelling: string) => {
        const exchange = await tools.ask(store, storePath(spelling));
        return { exchange, isSame: isOk(exchange) && bodyOf(exchange).storeId === storeId };
      };
      const storeId = rowsOf(page).find(({ externalId }) => externalId === id)?.storeId;
      const swapped = await read(swapCase(id));
      const padded = swapped.isSame ? await read(`${id} `) : undefined;
      const observed = { isCaseIgnored: swapped.isSame, isTrimmed: padded?.isSame === true };
      const own = await store.get(storePath(id), {}, { fresh: !swapped.isSame });
      const isKnown = control(
        "the other spellings have status 200 or 404",
        [swapped, padded ?? swapped].every(({ exchange, isSame }) => isSame || exchange.status === 404),
      );
      const reason = `The store "${id}" ${observed.isCaseIgnored ? "has" : "does not have"} its ID in the other case.`;
      const controls = [succeeds(own), isKnown, isAnswer(swapped.exchange), isShown(own)] as const;
      const evidence = [own, ...(padded ? [padded.exchange] : []), swapped.exchange];
      yield observation(id, observed, reason, controls, ...evidence);
    }
  },
  readings: {
    exact: { isCaseIgnored: false },
    "ignore-case": { isCaseIgnored: true, isTrimmed: false },
    normalized: { isCaseIgnored: true, isTrimmed: true },
  },
});
