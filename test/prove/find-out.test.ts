import { describe, expect, it } from "vitest";
import {
  type Scenario,
  type ScenarioContext,
  type ScenarioProgram,
  scenarios,
} from "../../src/prove/index.ts";
import { plantedPrograms } from "../prove/naive.ts";

/** Longer than a program needs on a busy machine. */
const TIMEOUT = 10_000;
/** More worlds at once would make programs slow, and nothing is known about a slow program. */
const WORKERS = 6;

/** What no planted program does wrong, although it can do the task. */
const NOT_PLANTED = [
  "copy-stores/rows-move",
  "copy-protocols/rows-move",
  "copy-photos/rows-move",
  "copy-protocols/newest-first",
  "copy-stores/unknown-properties",
  "copy-damages/unknown-properties",
];

const isRight = new Map<string, Promise<boolean>>();

/** Whether a program does a task in a world without faults: otherwise its failure says nothing about another world. */
function canDo(task: string, name: string, program: ScenarioProgram): Promise<boolean> {
  const plain = scenarios.find((scenario) => scenario.name === `${task}/no-fault`);
  const key = `${task} ${name}`;
  const result =
    isRight.get(key) ?? Promise.resolve(plain?.try(program)).then((report) => report?.verdict === "correct");
  isRight.set(key, result);
  return result;
}

/** Whether a scenario finds out a program. */
async function findsOut(scenario: Scenario): Promise<boolean> {
  const idle = {
    "asks once, and does nothing": ({ storeUrl, fleetUrl, fetch }: ScenarioContext) =>
      fetch(scenario.api === "store" ? `${storeUrl}/v1/stores` : `${fleetUrl}/vehicles`),
  };
  const isPlain = scenario.family === "plain";
  for (const [name, program] of Object.entries(isPlain ? idle : plantedPrograms)) {
    if (!isPlain && !(await canDo(scenario.task, name, program))) continue;
    const { verdict } = await scenario.try(program, { timeout: TIMEOUT });
    if (!["correct", "loud", "not exercised", "too slow"].includes(verdict)) return true;
  }
  return false;
}

describe("the scenarios", () => {
  it("each find out a program with a common fault", { timeout: 900_000 }, async () => {
    const waiting = scenarios.values();
    const missed: string[] = [];
    const work = async () => {
      for (const scenario of waiting) if (!(await findsOut(scenario))) missed.push(scenario.name);
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    expect(missed.toSorted()).toEqual(NOT_PLANTED.toSorted());
  });
});
