import { FLEET_PATHS, largestPage } from "../../../routes.ts";
import { control, succeeds } from "../../controls.ts";
import { isOk, rowsOf } from "../../exchange.ts";
import { type ExperimentResult, experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, fleetOf, hintOf, openEntries } from "../../experiment-tools.ts";
import type { JsonObject } from "../../../../wire/json.ts";
import type { ReadOptions } from "../../service.ts";
import { compareUrls, urlsIn } from "../urls.ts";
import { FIELDS, TEMPLATES, fieldVehicles, firstIdIn, listOf } from "./data.ts";

/** Whether searches find the row of a value: for its last word, and for its words in the other order. */
interface Searched {
  readonly isPart: boolean;
  readonly isWords: boolean;
}

/** Returns a value of a row that has two words. */
function twoWordsIn(row: JsonObject): string | undefined {
  return Object.values(row).find(
    (value): value is string => typeof value === "string" && /^[\p{L}\d]{2,} [\p{L}\d]{2,}$/u.test(value),
  );
}

/** A list, and the name of the parameter that searches it. */
interface SearchedList {
  readonly part: string;
  readonly path: string;
  readonly name: string;
}

/** Searches a list for a word of a value, and then for both in the other order, or otherwise for the value. */
async function searchFor(
  tools: ExperimentTools,
  { part, path, name }: SearchedList,
  value: string,
): Promise<ExperimentResult<Searched> | undefined> {
  const finds = async (text: string, options: ReadOptions = {}) => {
    const exchange = await tools.ask(fleetOf(tools), path, { ...largestPage(path), [name]: text }, options);
    const isFound = isOk(exchange) && rowsOf(exchange).some((row) => Object.values(row).includes(value));
    return { exchange, isFound };
  };
  // each reading ignores the case
  const [first = "", last = ""] = value.toUpperCase().split(" ");
  const word = await finds(last);
  const both = word.isFound ? `${last} ${first}` : value.toUpperCase();
  const words = await finds(both);
  // a service that finds neither may not search this property
  if (!word.isFound && !words.isFound) return undefined;
  const observed = { isPart: word.isFound, isWords: words.isFound };
  const reason = `A search for a word of a value ${observed.isPart ? "finds" : "does not find"} its row.`;
  // a page may be empty by chance, and a list may ignore the search
  const lacking = words.isFound && word.isFound ? `${last} ${tools.marker}` : word.isFound ? both : last;
  const none = await finds(lacking, { fresh: true });
  const isNone = control("a search that must find nothing finds nothing", !none.isFound);
  const controls = [isNone, succeeds(words.exchange), succeeds(word.exchange)] as const;
  return observation(part, observed, reason, controls);
}

/** Returns the lists with a search that was not observed. */
async function searchedLists(tools: ExperimentTools): Promise<SearchedList[]> {
  const field = await firstIdIn(tools, FIELDS, "a vehicle field");
  const title = tools.round === 1 ? undefined : hintOf(tools, "templates.title-filter");
  const lists = { fields: FIELDS, vehicles: fieldVehicles(field), ...(title && { templates: TEMPLATES }) };
  return openEntries(tools, lists).map(([part, path]) => {
    const name = part === "templates" && title !== undefined ? title : "search";
    return { part, path, name };
  });
}

export const search = experiment({
  gap: "fleet.search",
  cost: 2,
  needs: "vehicle fields, vehicles of a field, and templates, each with a value of two words",
  assumes: "A search treats all values of a list in the same way.",
  parts: ["fields", "vehicles", "templates"],
  observe: async function* observe(tools) {
    for (const list of await searchedLists(tools)) {
      const isTitle = list.part === "templates";
      if (isTitle) tools.premise("templates.title-filter");
      const page = await listOf(tools, list.path);
      const rows = isTitle ? rowsOf(page).map(({ title }) => ({ title })) : rowsOf(page);
      const values = rows.flatMap((row) => twoWordsIn(row) ?? []);
      for (const value of values.slice(0, 2)) yield await searchFor(tools, list, value);
    }
  },
  readings: {
    part: { isPart: true, isWords: false },
    "whole-value": { isPart: false },
    "every-word": { isPart: true, isWords: true },
  },
});

/** The lists that may show a URL of each name. */
const FILES = {
  photoUrl: FLEET_PATHS.damages,
  instructionImageUrl: TEMPLATES,
  fileUrl: FLEET_PATHS.inspections,
};

export const fileUrls = experiment({
  gap: "fleet.file-urls",
  cost: 2,
  needs: "damages with photos, templates with instruction images, or inspections that list files",
  assumes: "A URL that is the same in two responses stays the same.",
  // the key is never sent to another host
  parts: [...Object.keys(FILES), "a request for a file"],
  observe: async function* observe(tools) {
    for (const [name, path] of openEntries(tools, FILES)) {
      const page = await fleetOf(tools).get(path, largestPage(path));
      const urls = urlsIn(rowsOf(page), "id", name);
      yield undefined;
      if (!isOk(page) || urls.size === 0) continue;
      // another URL, so that no cache returns the same response
      const again = await tools.ask(fleetOf(tools), path, { limit: String(99 - tools.round) });
      const { observed, reason } = compareUrls(urls, urlsIn(rowsOf(again), "id", name));
      const isKnown = control("both lists have the rows", observed.compared > 0, page);
      yield observation(name, observed, reason, [isKnown, succeeds(again)]);
    }
  },
  readings: { lasting: { kind: "lasting" }, signed: { kind: "signed" }, "with-key": { kind: "relative" } },
});
