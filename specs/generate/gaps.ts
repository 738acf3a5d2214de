import { hash } from "../../src/wire/hash.ts";
import { comment } from "./prose.ts";

type Choices = Record<string, string>;

/** An entry of `gaps.yaml`, as `gaps.schema.json` describes it. */
export interface Gap {
  id: string;
  source: string;
  api: "store" | "fleet";
  section: string;
  question: string;
  readings?: Choices;
  default?: string;
  "default-reason"?: string;
  affects?: ("client" | "mock")[];
  option?: "client";
  repeatable?: string[];
  strategies?: Choices;
  "strategy-default"?: string;
  client?: string;
  settled?: string;
}

const read = (gap: Gap): boolean => gap.affects?.includes("mock") ?? false;
const hasReadings = (gap: Gap): boolean => gap.readings !== undefined;
const taken = (api: Gap["api"]) => (gap: Gap) => gap.option === "client" && gap.api === api;
const walked = (gap: Gap): boolean => gap.strategies !== undefined;

/** The names of `choices`, the default first. */
function names(choices: Choices = {}, first = ""): string[] {
  return [first, ...Object.keys(choices).filter((name) => name !== first)].filter((name) => name in choices);
}

const readingNames = (gap: Gap): string[] => names(gap.readings, gap.default);
const strategyNames = (gap: Gap): string[] => names(gap.strategies, gap["strategy-default"]);

/** `readings.ts`: only the names, with the default first. Small, because the clients and the reference server load it. */
export function readingsModule(gaps: Gap[]): string {
  const rows = (chosen: Gap[], list: (gap: Gap) => string[]): string =>
    chosen.map((gap) => `${JSON.stringify(gap.id)}: ${JSON.stringify(list(gap))},`).join("\n");
  const table = (name: string, doc: string, chosen: Gap[], list: (gap: Gap) => string[]): string =>
    `${comment(doc)}export const ${name} = {${rows(chosen, list)}} as const;\n`;
  const unplayed = gaps.filter((gap) => hasReadings(gap) && !read(gap));
  return [
    table("mockReadings", "The readings that the reference server plays.", gaps.filter(read), readingNames),
    // in a pure call, because a bundler keeps an unused object with a spread
    `${comment("The readings of every gap.")}export const gapReadings = /* @__PURE__ */ (() => ({ ...mockReadings, ${rows(unplayed, readingNames)}} as const))();\n`,
    // a separate type: the declarations of the clients would otherwise load all texts of shelfleet/gaps
    `${comment("The readings of every gap.")}export type GapReadings = typeof gapReadings;\n`,
    table(
      "storeClientReadings",
      "The readings that the store client takes.",
      gaps.filter(taken("store")),
      readingNames,
    ),
    table(
      "fleetClientReadings",
      "The readings that the fleet client takes.",
      gaps.filter(taken("fleet")),
      readingNames,
    ),
    table(
      "repeatableReadings",
      "The readings of `retryGaps` under which the request can be sent twice with the effect of sending it once.",
      gaps.filter((gap) => gap.repeatable !== undefined),
      (gap) => gap.repeatable ?? [],
    ),
    checksums(gaps.filter(hasReadings)),
    table("storeClientStrategies", "The strategies of the store client.", gaps.filter(walked), strategyNames),
  ].join("\n");
}

/**
 * 22 bits of each ID: the clients accept one of 30 000 misspelled IDs, without a table of the others. As differences in
 * ascending order they take half of the 1 kB that the IDs would take in a compressed bundle.
 */
function checksums(gaps: Gap[]): string {
  const doc = comment(
    "Checksums of the IDs of all gaps, by which a client recognizes those that concern others: the differences between them.",
  );
  const sorted = gaps.map(({ id }) => hash(id) % 2 ** 22).toSorted((a, b) => a - b);
  const rows = sorted.map((sum, index) => sum - (sorted[index - 1] ?? 0));
  return `${doc}export const gapChecksums: readonly number[] = ${JSON.stringify(rows)};\n`;
}

/** Returns the JSDoc of the property that sets the reading of a gap. */
function choicesDoc(question: string, choices: Choices, first: string | undefined): string {
  const lines = Object.entries(choices).map(
    ([name, prose]) => `- \`${name}\`${name === first ? " (default)" : ""}: ${prose}`,
  );
  return [question, ...lines].join("\n");
}

function choice(gap: Gap, choices: Choices = {}, first: string | undefined): string {
  const union = names(choices, first).map((name) => JSON.stringify(name));
  return `${comment(choicesDoc(gap.question, choices, first))}${JSON.stringify(gap.id)}?: ${union.join(" | ")};`;
}

/** The readings that a client takes; those that the reference server also plays keep the comment that they have there. */
function clientReadings(name: string, doc: string, gaps: Gap[]): string {
  const played = gaps.filter(read).map(({ id }) => JSON.stringify(id));
  const others = gaps.filter((gap) => !read(gap)).map(reading);
  return choiceInterface(`${name} extends Pick<Readings, ${played.join(" | ")}>`, doc, others);
}

function choiceInterface(name: string, doc: string, properties: string[]): string {
  return `${comment(doc)}export interface ${name} {${properties.join("\n")}}\n`;
}

const reading = (gap: Gap): string => choice(gap, gap.readings, gap.default);
const strategy = (gap: Gap): string => choice(gap, gap.strategies, gap["strategy-default"]);

/** `gaps.ts`: all the prose, and the types of what can be chosen. */
export function gapsModule(gaps: Gap[]): string {
  const rows = gaps.map(({ id, ...gap }) => `${JSON.stringify(id)}: ${JSON.stringify(gap)},`);
  return [
    'export { fleetClientReadings, gapReadings, mockReadings, repeatableReadings, storeClientReadings, storeClientStrategies } from "./readings.ts";\n',
    `${comment("What the two contracts leave open or state in two ways, by id.")}export const gaps = {${rows.join("\n")}} as const;\n`,
    "/** The id of a gap. */\nexport type GapId = keyof typeof gaps;\n",
    choiceInterface(
      "Readings",
      "The readings that the reference server plays.",
      gaps.filter(read).map(reading),
    ),
    `${comment("The readings of one gap.")}export type Reading<G extends keyof Readings> = NonNullable<Readings[G]>;\n`,
    clientReadings(
      "StoreClientReadings",
      "The readings that the store client takes.",
      gaps.filter(taken("store")),
    ),
    clientReadings(
      "FleetClientReadings",
      "The readings that the fleet client takes.",
      gaps.filter(taken("fleet")),
    ),
    choiceInterface("Strategies", "The strategies of the store client.", gaps.filter(walked).map(strategy)),
    "/** A gap in which the client has a choice. */\nexport type StrategyGap = keyof Strategies;\n",
  ].join("\n");
}
