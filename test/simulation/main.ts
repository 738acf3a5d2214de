/** `npm run test:simulation -- --histories N --seed S --seconds T` */
import { parseArgs } from "node:util";
import { generate } from "./generate.ts";
import { runHistory } from "./history.ts";
const { values } = parseArgs({ options: { histories: { type: "string", default: "5000" }, seed: { type: "string", default: "1" }, show: { type: "boolean", default: false }, most: {type:"string", default:"15"} } });
const first = Number(values.seed);
const cpu = process.cpuUsage();
let requests = 0, bad = 0;
const kinds = new Map<string, number[]>();
for (let seed = first; seed < first + Number(values.histories); seed += 1) {
  const result = await runHistory(generate(seed));
  requests += result.requests;
  if (values.show) console.log(JSON.stringify(generate(seed)), result.trace.join("\n"));
  if (result.violations.length > 0) {
    bad += 1;
    const k = (result.violations[0] as string).replace(/[a-z]+-\d-\d|#?\d+|[0-9a-f-]{36}/g, "*").slice(0, 110);
    kinds.set(k, [...(kinds.get(k) ?? []), seed]);
  }
}
for (const [k, seeds] of [...kinds].sort((a, b) => b[1].length - a[1].length).slice(0, Number(values.most))) console.log(seeds.length, k, seeds.slice(0, 4).join(" "));
const used = process.cpuUsage(cpu);
console.log({ bad, requests, perSecond: Math.round(Number(values.histories) / ((used.user + used.system) / 1e6)) });
