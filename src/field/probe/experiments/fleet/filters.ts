import { control, isAnswer } from "../../controls.ts";
import { isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, fleetOf } from "../../experiment-tools.ts";
import { ENTRIES, FIELDS, TEMPLATES, entryPaths, idsIn, listOf, totalOf } from "./data.ts";

/** A list with at least two rows, and a filter that changes the number of its rows. */
interface FilteredList {
  readonly part: string;
  readonly path: string;
  readonly filter: Readonly<Record<string, string>>;
}

/** Yields the vehicle fields, and in later rounds also the other lists whose filters the contract describes. */
async function* filteredLists(tools: ExperimentTools): AsyncGenerator<FilteredList, void> {
  const search = `${tools.marker}-${tools.round}`;
  if (!tools.isSeen(FIELDS)) yield { part: FIELDS, path: FIELDS, filter: { search } };
  // the first round asks as little as possible
  if (tools.round === 1) return;
  if (!tools.isSeen(TEMPLATES)) yield { part: TEMPLATES, path: TEMPLATES, filter: { isActive: "false" } };
  if (tools.isSeen(ENTRIES)) return;
  for (const path of await entryPaths(tools))
    yield { part: ENTRIES, path, filter: { search, status: "NOT_OK" } };
}

export const filtersAcrossPages = experiment({
  gap: "lists.filters-across-pages",
  cost: 3.2,
  needs: "two vehicle fields, two templates of which not all are inactive, and a field with two vehicles",
  assumes: "No other client uses the same key between two requests.",
  parts: [FIELDS, TEMPLATES, ENTRIES],
  observe: async function* observe(tools) {
    const fleet = fleetOf(tools);
    for await (const { part, path, filter } of filteredLists(tools)) {
      const whole = await listOf(tools, path);
      const total = totalOf(whole);
      // the total may count a row twice; page 2 must exist
      const ids = new Set(idsIn(rowsOf(whole), part === ENTRIES ? "vehicleId" : "id"));
      if (ids.size < 2) continue;
      // page 2 was not read before, so that no cache knows it
      const limit = String(Math.ceil(ids.size / 2));
      const found = await tools.ask(fleet, path, { limit, page: "1", ...filter }, { fresh: true });
      const next = await tools.ask(fleet, path, { limit, page: "2" }, { fresh: true });
      // a server that takes turns with another one may remember what the other one does not know
      const again = await fleet.get(path, { limit, page: "2" }, { fresh: true });
      const filtered = totalOf(found);
      const counts = [next, again].map((page) =>
        isOk(page) ? totalOf(page) : page.status === 400 ? filtered : undefined,
      );
      const [count, other] = counts;
      const observed = {
        isUnfiltered: count === total && other === total,
        isFiltered: count === filtered && other === filtered,
      };
      const reason = `Page 2 of ${path} without the filter of page 1 counts ${String(count)} of ${total} rows.`;
      const after = observed.isUnfiltered
        ? again
        : await fleet.get(path, { limit, page: "1" }, { fresh: true });
      const isSame = isOk(after) && totalOf(after) === total;
      const stays = control("the number of rows stays the same", isSame, after);
      const isNarrow = isOk(found) && (part === TEMPLATES ? filtered !== total : filtered === 0);
      const narrows = control("the filter finds other rows", isNarrow, found);
      yield observation(part, observed, reason, [stays, narrows, isAnswer(next)]);
    }
  },
  readings: { repeated: { isUnfiltered: true }, remembered: { isFiltered: true } },
});
