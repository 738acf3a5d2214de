import { comment } from "./prose.ts";

/** An entry of `gaps.yaml`, as `gaps.schema.json` describes it. */
export interface Gap {
  id: string;
  source: string;
  api: "store" | "fleet";
  section: string;
  question: string;
  /** The default first. */
  readings?: Record<string, string>;
  breaks?: string;
  option?: "client";
  client?: string;
  settled?: string;
}

const isPlayed = ({ readings }: Gap): boolean => readings !== undefined;

/** `readings.ts`: only the names. Small, because the reference server loads it. */
export function readingsModule(gaps: Gap[]): string {
  const rows = gaps
    .filter(isPlayed)
    .map(({ id, readings = {} }) => `${JSON.stringify(id)}: ${JSON.stringify(Object.keys(readings))},`);
  return `${comment("The readings that the reference server plays, the default of each gap first.")}export const mockReadings = {${rows.join("\n")}} as const;\n`;
}

/** The property that sets the reading of a gap. */
function choice({ id, question, readings = {} }: Gap): string {
  const lines = Object.entries(readings).map(
    ([name, prose], index) => `- \`${name}\`${index === 0 ? " (default)" : ""}: ${prose}`,
  );
  const union = Object.keys(readings).map((name) => JSON.stringify(name));
  return `${comment([question, ...lines].join("\n"))}${JSON.stringify(id)}?: ${union.join(" | ")};`;
}

/** `gaps.ts`: all the prose, and the types of what can be chosen. */
export function gapsModule(gaps: Gap[]): string {
  const entries = gaps.map(({ id, ...gap }) => `${JSON.stringify(id)}: ${JSON.stringify(gap)},`);
  return [
    'export { mockReadings } from "./readings.ts";\n',
    `${comment("What the two contracts leave open or state in two ways, by id.")}export const gaps = {${entries.join("\n")}} as const;\n`,
    "/** The id of a gap. */\nexport type GapId = keyof typeof gaps;\n",
    `${comment("The readings that the reference server plays.")}export interface Readings {${gaps.filter(isPlayed).map(choice).join("\n")}}\n`,
  ].join("\n");
}
