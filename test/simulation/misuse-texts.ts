/** Prints misuses.txt: `node test/simulation/misuse-texts.ts > test/simulation/misuses.txt`. Read what differs. */
import { runHistory } from "./history.ts";
import { inputsOf } from "./misuses.ts";
import type { Scenario } from "./scenario.ts";

for (const api of ["store", "fleet"] as const)
  for (const method of inputsOf(api)) {
    const scenario: Scenario = {
      api,
      seed: 2,
      readings: {},
      world: { entities: 3, unnamed: 0, protocols: 2, spacing: 5000, pairs: false },
      client: { via: "transport", token: "fixed", configuredGaps: [] },
      faults: {},
      changes: {},
      programs: [[{ do: "misuse", method }]],
    };
    const { trace } = await runHistory(scenario);
    const [line = ""] = trace.flatMap((text) => / input (\[.*)/s.exec(text)?.[1] ?? []);
    console.log((JSON.parse(line) as string[]).join("\n  "));
  }
