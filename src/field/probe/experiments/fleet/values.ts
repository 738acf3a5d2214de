import { control, succeeds } from "../../controls.ts";
import { isOk, rowsOf } from "../../exchange.ts";
import { type ExperimentResult, experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, fleetOf, unseenFirst } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import type { JsonObject } from "../../json.ts";
import { compareUrls, urlsIn } from "../urls.ts";
import { idsIn, listOf } from "./data.ts";
import { fieldVehicles } from "./lists.ts";

const TWO_WORDS = "vehicle fields or vehicles of a field with a value of two words";

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

/** Searches a list for a value, for one of its words, and for both in the other order. */
async function searchFor(
  tools: ExperimentTools,
  path: string,
  value: string,
): Promise<ExperimentResult<Searched> | undefined> {
  const finds = async (text: string) => {
    const exchange = await tools.ask(fleetOf(tools), path, { limit: "100", search: text });
    const isFound = isOk(exchange) && rowsOf(exchange).some((row) => Object.values(row).includes(value));
    return { exchange, isFound };
  };
  const whole = await finds(value);
  if (!whole.isFound) return undefined;
  const [first = "", last = ""] = value.split(" ");
  const part = await finds(last);
  const words = part.isFound ? await finds(`${last} ${first}`) : part;
  const observed = { isPart: part.isFound, isWords: words.isFound };
  const reason = `A search for a word of a value ${observed.isPart ? "finds" : "does not find"} its row.`;
  const isAnswered = control("all searches succeed", isOk(part.exchange) && isOk(words.exchange));
  const exchanges = [whole.exchange, words.exchange, part.exchange];
  return observation(
    `${path} ${value}`,
    observed,
    reason,
    [succeeds(whole.exchange), isAnswered],
    ...exchanges,
  );
}

export const search = experiment<"fleet.search", Searched>({
  gap: "fleet.search",
  cost: 3,
  needs: TWO_WORDS,
  assumes: "A search treats all values in the same way.",
  everyEntity: true,
  observe: async function* observe(tools) {
    const fields = await listOf(tools, "/vehicle-fields");
    const [id] = idsIn(rowsOf(fields));
    if (id === undefined) throw new Missing("a vehicle field");
    for (const page of [fields, await listOf(tools, fieldVehicles(id))]) {
      const values = rowsOf(page).flatMap((row) => twoWordsIn(row) ?? []);
      const subjects = unseenFirst(
        tools,
        values.map((value) => `${page.path} ${value}`),
      );
      for (const subject of subjects.slice(0, 2))
        yield await searchFor(tools, page.path, subject.slice(page.path.length + 1));
    }
    throw new Missing(TWO_WORDS);
  },
  readings: {
    part: ({ isPart, isWords }) => isPart && !isWords,
    "whole-value": ({ isPart }) => !isPart,
    "every-word": ({ isPart, isWords }) => isPart && isWords,
  },
});

const FILES = "damages with photos, or templates with instruction images";

export const fileUrls = experiment({
  gap: "fleet.file-urls",
  cost: 2,
  needs: FILES,
  assumes: "A URL that is the same in two responses stays the same.",
  everyEntity: true,
  observe: async function* observe(tools) {
    for (const path of unseenFirst(tools, ["/damages", "/inspection-templates"])) {
      const page = await fleetOf(tools).get(path, { limit: "100" });
      const urls = urlsIn(rowsOf(page), "id");
      yield undefined;
      if (!isOk(page) || urls.size === 0) continue;
      // another URL, so that no cache returns the same response
      const again = await tools.ask(fleetOf(tools), path, { limit: String(99 - tools.round) });
      const { observed, reason } = compareUrls(urls, urlsIn(rowsOf(again), "id"));
      const isKnown = control("both lists have the rows", observed.compared > 0);
      yield observation(path, observed, reason, [succeeds(again), isKnown], page, again);
    }
    throw new Missing(FILES);
  },
  readings: {
    lasting: ({ kind }) => kind === "lasting",
    signed: ({ kind }) => kind === "signed",
    "with-key": ({ kind }) => kind === "relative",
  },
});
