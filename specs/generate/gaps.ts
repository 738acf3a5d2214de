import { comment } from "./prose.ts";

/** An entry of `gaps.yaml`, as `gaps.schema.json` describes it. */
export interface Gap {
  id: string;
  source: string;
  api: "store" | "fleet";
  section: string;
  question: string;
  readings?: Record<string, string>;
  default?: string;
  "default-reason"?: string;
  affects?: ("client" | "mock")[];
  option?: "client";
  client?: string;
  settled?: string;
}

const isPlayed = (gap: Gap): boolean => gap.affects?.includes("mock") ?? false;

/** The names of the readings, the default first. */
function readingNames({ readings = {}, default: first = "" }: Gap): string[] {
  return [first, ...Object.keys(readings).filter((name) => name !== first)];
}

function rows(gaps: Gap[]): string {
  return gaps.map((gap) => `${JSON.stringify(gap.id)}: ${JSON.stringify(readingNames(gap))},`).join("\n");
}

/** `readings.ts`: only the names. Small, because the reference server loads it. */
export function readingsModule(gaps: Gap[]): string {
  const others = gaps.filter((gap) => gap.readings !== undefined && !isPlayed(gap));
  return [
    `${comment("The readings that the reference server plays.")}export const mockReadings = {${rows(gaps.filter(isPlayed))}} as const;\n`,
    // in a pure call, because a bundler keeps an unused object with a spread
    `${comment("The readings of every gap.")}export const gapReadings = /* @__PURE__ */ (() => ({ ...mockReadings, ${rows(others)}} as const))();\n`,
  ].join("\n");
}

/** The property that sets the reading of a gap. */
function choice(gap: Gap): string {
  const lines = Object.entries(gap.readings ?? {}).map(
    ([name, prose]) => `- \`${name}\`${name === gap.default ? " (default)" : ""}: ${prose}`,
  );
  const union = readingNames(gap).map((name) => JSON.stringify(name));
  return `${comment([gap.question, ...lines].join("\n"))}${JSON.stringify(gap.id)}?: ${union.join(" | ")};`;
}

/** `gaps.ts`: all the prose, and the types of what can be chosen. */
export function gapsModule(gaps: Gap[]): string {
  const entries = gaps.map(({ id, ...gap }) => `${JSON.stringify(id)}: ${JSON.stringify(gap)},`);
  const readings = gaps.filter(isPlayed).map(choice);
  return [
    'export { gapReadings, mockReadings } from "./readings.ts";\n',
    `${comment("What the two contracts leave open or state in two ways, by id.")}export const gaps = {${entries.join("\n")}} as const;\n`,
    "/** The id of a gap. */\nexport type GapId = keyof typeof gaps;\n",
    `${comment("The readings that the reference server plays.")}export interface Readings {${readings.join("\n")}}\n`,
  ].join("\n");
}
