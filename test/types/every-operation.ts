import { callsOf } from "../operations/consumer-code.ts";

/** A consumer's file that calls every operation of an API, with the client from `module`. */
export function everyOperation(api: "store" | "fleet", module: string): string {
  const type = api === "store" ? "StoreClient" : "FleetClient";
  const calls = callsOf(api).map((call) => `    await ${call},\n`);
  return `import type { ${type} } from "${module}";

export async function everyOperation(${api}: ${type}): Promise<unknown[]> {
  return [\n${calls.join("")}  ];
}
`;
}
