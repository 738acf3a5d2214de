/**
 * Plants each fault in a copy of the clients, runs the simulation there, and writes how many histories it took to find
 * it. `node test/simulation/plant.ts [--only WORDS] [--write]`
 */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { copyProject, root } from "./copy-project.ts";
import { type PlantedFault, plantedFaults } from "./planted.ts";

const maximum = 20_000;
interface Finding {
  readonly fault: PlantedFault;
  /** Histories until the first that showed it; undefined if none did. */
  readonly histories: number | undefined;
  /** The rule that it broke. */
  readonly violation: string;
}

function plant(folder: string, { file, find, replace, name }: PlantedFault): () => void {
  const path = join(folder, "src", file);
  const text = readFileSync(path, "utf8");
  if (text.split(find).length !== 2)
    throw new Error(`"${name}": its text does not stand exactly once in ${file}`);
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  return () => writeFileSync(path, text);
}

function search(folder: string, fault: PlantedFault): Finding {
  const restore = plant(folder, fault);
  const program = join(folder, "test/simulation/main.ts");
  const args = [program, "--histories", String(maximum), "--no-shrink"];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  restore();
  const found = /^seed (\d+): (.*)$/m.exec(stdout);
  if (found !== null) return { fault, histories: Number(found[1]), violation: found[2] ?? "" };
  return {
    fault,
    histories: undefined,
    violation: stderr.split("\n").find((line) => /Error/.test(line)) ?? "",
  };
}

function toRow({ fault, histories, violation }: Finding): string {
  const rule = violation.split(/: |, /, 1)[0]?.replaceAll("|", "\\|");
  return `| ${fault.name} | \`${fault.file}\` | ${histories ?? `not within ${maximum}`} | ${rule} |`;
}

/** The table with the new rows; those of faults that were not planted this time stay. */
function toTable(findings: readonly Finding[], before: string): string {
  const known = before.split("\n");
  const rows = plantedFaults.map(({ name, file }) => {
    const finding = findings.find(({ fault }) => fault.name === name);
    const row = known.find((line) => line.startsWith(`| ${name} |`))?.replace(/`.*?`/, `\`${file}\``);
    return finding === undefined ? row : toRow(finding);
  });
  const heading = ["| fault | file | histories | rule that it broke |", "| --- | --- | --- | --- |"];
  return [...heading, ...rows.filter((row) => row !== undefined)].join("\n");
}

function main(): number {
  const { values } = parseArgs({
    options: { only: { type: "string", default: "" }, write: { type: "boolean", default: false } },
  });
  const folder = copyProject();
  const findings = plantedFaults
    .filter(({ name }) => name.includes(values.only))
    .map((fault) => {
      const finding = search(folder, fault);
      console.log(`${finding.histories ?? "not found"}\t${fault.name}\t${finding.violation.slice(0, 120)}`);
      return finding;
    });
  rmSync(folder, { recursive: true });
  const intro =
    "<!-- Written by `node test/simulation/plant.ts --write`; do not edit. -->\n\n# Planted faults\n";
  const path = join(root, "test/simulation/planted.md");
  if (values.write) writeFileSync(path, `${intro}\n${toTable(findings, readFileSync(path, "utf8"))}\n`);
  return findings.every(({ histories }) => histories !== undefined) ? 0 : 1;
}

process.exitCode = main();
