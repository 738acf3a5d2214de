import { mockReadings } from "../../generated/readings.ts";
import { compared } from "./compared.ts";

const results: string[] = [];
for (const [gap, readings] of Object.entries(mockReadings)) {
  const [usual, ...others] = readings as readonly string[];
  for (const reading of others) {
    for (const [actual, assumed] of [[{ [gap]: reading }, {}], [{ [gap]: reading }, { [gap]: reading }]] as const) {
      const { differences } = await compared(actual, assumed);
      const isSame = assumed === undefined || Object.keys(assumed).length > 0;
      results.push(`${isSame ? (differences.length === 0 ? "ok   " : "FALSE") : differences.length > 0 ? "found" : "none "} ${gap}: ${reading} (${usual}) ${differences.slice(0, isSame ? 4 : 1).map((one) => `${one.operation} ${one.aspect} ${one.place} ${one.service} / ${one.mock} ${isSame ? one.request : ""}`).join("; ")}`);
    }
  }
}
console.log(results.toSorted().join("\n"));
