import { scopes } from "../../generated/fleet.enums.ts";
import { mockReadings } from "../../generated/readings.ts";
import {
  createReferenceServer,
  type ReferenceServer,
  type ReferenceServerOptions,
} from "../../src/mock/index.ts";
import { Random } from "../../src/mock/server/random.ts";
import { differencesOf, examine, urls } from "./run.ts";

/** What another program writes while doctor runs. */
function write(ref: ReferenceServer, random: Random): Promise<Response> {
  const { storeUrl, fleetUrl, token, key } = ref;
  const store = `${storeUrl}/v1/stores/S-${random.integer(1, 30)}`;
  const [method, url, body] = random.pick([
    ["PUT", store, { name: `Kiosk ${random.integer(1, 1000)}` }],
    ["PUT", `${storeUrl}/v1/stores/A-${random.integer(1, 99)}`, { name: "A new one" }],
    ["POST", `${fleetUrl}/vehicles`, { plateNumber: "WA 1" }],
    ["POST", `${fleetUrl}/inspection-templates`, { title: "Another one", items: [] }],
    ["DELETE", `${fleetUrl}/vehicles/vehicle-${random.integer(1, 30)}`, undefined],
    ["DELETE", `${fleetUrl}/inspection-templates/template-${random.integer(1, 6)}`, undefined],
    ["DELETE", `${fleetUrl}/vehicle-groups/group-${random.integer(1, 5)}`, undefined],
  ] as const);
  const headers = {
    authorization: `Bearer ${url.startsWith(storeUrl) ? token : key}`,
    "content-type": "application/json",
  };
  return ref.fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
}

/** Failures of the network or of a proxy. */
const failures: readonly (() => Response)[] = [
  () => new Response("", { status: 429, headers: { "retry-after": "0" } }),
  () => new Response("<!doctype html><h1>Bad Gateway</h1>", { status: 502 }),
  () => Response.json({ error: { code: "oops", message: "try later" } }, { status: 500 }),
  () => {
    const cause = Object.assign(new Error("socket"), { code: "ECONNRESET" });
    throw new TypeError("fetch failed", { cause });
  },
];

/** Runs doctor against a server with random readings, writers and faults. Returns what it says wrongly. */
export async function findWrongReadings(seed: number): Promise<{ wrong: string[]; seen: number }> {
  const random = new Random(seed, "doctor");
  const readings = Object.fromEntries(
    Object.entries(mockReadings)
      // a service that requires the optional header differs from the contract
      .filter(([gap]) => gap !== "fleet.version-header" && random.chance(0.3))
      .map(([gap, all]) => [gap, random.pick<string>(all)]),
  ) as NonNullable<ReferenceServerOptions["readings"]>;
  const store = { protocolsPerStore: random.integer(2, 9) };
  const ref = createReferenceServer({ ...urls, seed, readings, store });
  const narrow = `narrow_${"0".repeat(64)}`;
  ref.credentials.addKey({ key: narrow, scopes: scopes.filter(() => random.chance(0.6)) });
  const key = random.chance(0.5) ? narrow : ref.key;
  const isDisturbed = random.chance(0.7);
  const fetch: typeof ref.fetch = async (input, init) => {
    if (isDisturbed && random.chance(0.2)) await write(ref, random);
    if (isDisturbed && random.chance(0.05)) return random.pick(failures)();
    return ref.fetch(input, init);
  };
  const result = await examine(ref, { fetch, args: ["--requests", "90"], key });
  const known: Readonly<Record<string, string>> = ref.readings;
  const differences = differencesOf(result).map((text) => `seed ${seed}: ${text}`);
  const wrong = Object.entries(result.readings).flatMap(([gap, reading]) =>
    known[gap] === reading ? [] : [`seed ${seed}: ${gap} is ${known[gap]}, not ${reading}`],
  );
  return { wrong: [...wrong, ...differences], seen: Object.keys(result.readings).length };
}

/** Runs ten at a time, because retries wait. */
export async function findAllWrong(seeds: readonly number[]): Promise<{ wrong: string[]; seen: number }> {
  const wrong: string[] = [];
  let seen = 0;
  for (let start = 0; start < seeds.length; start += 10)
    for (const result of await Promise.all(seeds.slice(start, start + 10).map(findWrongReadings))) {
      wrong.push(...result.wrong);
      seen += result.seen;
    }
  return { wrong, seen };
}
