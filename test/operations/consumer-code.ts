import { literal } from "../../specs/generate/code-samples.ts";
import { fleetSamples } from "./fleet-samples.ts";
import { type ApiOperation, operationsOf } from "./operations.ts";
import { sampleArguments } from "./sample-arguments.ts";
import type { Sample } from "./sample.ts";
import { anyStoreIds, storeSamples } from "./store-samples.ts";

type Api = ApiOperation["api"];

/** Writes a call of an operation with its sample, on a client with the name of its API. */
type Style = (operation: ApiOperation, sample: Sample) => string;

const id = "11111111-1111-4111-8111-111111111111";

const shelfleet: Style = (operation, sample) => {
  const { api, client } = operation;
  return `${api}.${client.resource}.${client.name}(${sampleArguments(operation, sample)
    .map((value) => literal(value))
    .join(", ")})`;
};

const openapiFetch: Style = ({ api, method, path }, { path: ids, query, body }) => {
  const params = ids === undefined && query === undefined ? undefined : { path: ids, query };
  const options = params === undefined && body === undefined ? [] : [literal({ params, body })];
  return `${api}.${method}(${[JSON.stringify(path), ...options].join(", ")})`;
};

const heyApi: Style = ({ api, id: operation }, sample) => {
  const isEmpty = Object.values(sample).every((part) => part === undefined);
  return `${api}.${operation}(${isEmpty ? "" : literal(sample)})`;
};

const heads = {
  shelfleet: `import { FleetClient, StoreClient } from "shelfleet";

const store = new StoreClient({ baseUrl: "https://store.example", token: "t" });
const fleet = new FleetClient({ baseUrl: "https://fleet.example/api/third-party/v1", key: "k" });
`,
  "openapi-fetch": `import createClient from "openapi-fetch";
import type { paths as FleetPaths } from "paths/fleet";
import type { paths as StorePaths } from "paths/store";

const store = createClient<StorePaths>({ baseUrl: "https://store.example" });
const fleet = createClient<FleetPaths>({ baseUrl: "https://fleet.example/api/third-party/v1" });
`,
  "hey-api": `import * as fleet from "hey-api/fleet";
import * as store from "hey-api/store";
`,
};

/** The libraries for which consumer code can be written. */
export type Library = keyof typeof heads;

const styles: Record<Library, Style> = { shelfleet, "openapi-fetch": openapiFetch, "hey-api": heyApi };

/** A call of each operation of an API, in the order of its document. */
export function callsOf(api: Api, library: Library = "shelfleet"): string[] {
  const samples: Record<string, Sample> = {
    ...storeSamples(anyStoreIds(id)),
    ...fleetSamples({ inspectionId: id }),
  };
  return operationsOf(api).map((operation) => styles[library](operation, samples[operation.id] ?? {}));
}

/** A module with a function that calls every operation of both APIs. */
export function consumerCode(library: Library): string {
  const calls = (["store", "fleet"] as const).flatMap((api) => callsOf(api, library));
  const lines = calls.map((call) => `  await ${call};`);
  return `${heads[library]}\nexport async function everyOperation(): Promise<void> {\n${lines.join("\n")}\n}\n`;
}
