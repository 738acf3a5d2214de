import { readYaml } from "./document.ts";
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

/** Reads the gaps of the project, or those in another folder. */
export function readGaps(specs = new URL("../", import.meta.url)): Gap[] {
  return readYaml(new URL("gaps.yaml", specs)) as Gap[]; // the tests check it against gaps.schema.json
}

/** The property that sets the reading of a gap. */
function choice({ id, question, readings = {} }: Gap): string {
  const lines = Object.entries(readings).map(
    ([name, prose], index) => `- \`${name}\`${index === 0 ? " (default)" : ""}: ${prose}`,
  );
  const union = Object.keys(readings).map((name) => JSON.stringify(name));
  return `${comment([question, ...lines].join("\n"))}${JSON.stringify(id)}?: ${union.join(" | ")};`;
}

/** `readings.ts`: the names of the readings, and the type of a choice of them. */
export function readingsModule(gaps: Gap[]): string {
  const played = gaps.filter(({ readings }) => readings !== undefined);
  const rows = played.map(
    ({ id, readings = {} }) => `${JSON.stringify(id)}: ${JSON.stringify(Object.keys(readings))},`,
  );
  return [
    `${comment("The readings that the reference server plays, the default of each gap first.")}export const mockReadings = {${rows.join("\n")}} as const;\n`,
    `${comment("The readings that the reference server plays.")}export interface Readings {${played.map(choice).join("\n")}}\n`,
  ].join("\n");
}
