/** Prints misuses.txt: `node test/simulation/misuse-texts.ts > test/simulation/misuses.txt`. Read what differs. */
import { runHistory } from "./history.ts";
import { historyOf, inputsOf } from "./misuses.ts";

for (const api of ["store", "fleet"] as const)
  for (const method of inputsOf(api)) {
    const { trace } = await runHistory(historyOf(api, method));
    const [line = ""] = trace.flatMap((text) => / input (\[.*)/s.exec(text)?.[1] ?? []);
    console.log((JSON.parse(line) as string[]).join("\n  "));
  }
