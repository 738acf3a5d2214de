import type { Environment } from "../environment.ts";
import type { JsonRow, Result } from "../result.ts";

const env: Environment = {
  date: "2026-01-01",
  mode: "full",
  commit: "abc1234",
  seed: 7,
  minutes: 20,
  node: "v24.0.0",
  platform: "linux x64",
  cpu: "a processor",
  cores: 2,
  memoryGb: 8,
  load: 0,
  versions: { shelfleet: "0.1.0" },
};

/** A result with these rows; each contender's figures are `[median, min, max]`. */
export function resultOf(
  rows: Record<string, Record<string, [number, number, number]>>,
  more: Partial<JsonRow> = {},
): Result {
  return {
    env,
    rows: Object.entries(rows).map(([id, contenders]) => ({
      id,
      unit: "µs",
      contenders: Object.fromEntries(
        Object.entries(contenders).map(([name, [median, min, max]]) => [name, { median, min, max }]),
      ),
      target: "fastest",
      met: true,
      ...more,
    })),
  };
}
