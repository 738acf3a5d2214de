import { keyForm } from "../mock/apis/fleet/keys.ts";
import type { ReferenceServer } from "../mock/index.ts";
import type { ServedReference } from "../mock/adapters/node/serve.ts";

/** What a caller needs to know. */
interface Start {
  ref: ReferenceServer;
  served: ServedReference;
  /** Address of the control API. */
  control: string | undefined;
  json: boolean;
}

/** The first lines: addresses, token and keys; as JSON a single one. */
export function introduction({ ref, served, control, json }: Start): string[] {
  const { storeUrl, fleetUrl, sandboxUrl } = served;
  const keys = ref.keys.map(({ key, scopes }) => ({ key, environment: keyForm(key, ref.readings), scopes }));
  if (json) {
    const controlUrl = control === undefined ? {} : { controlUrl: control };
    return [JSON.stringify({ storeUrl, fleetUrl, sandboxUrl, ...controlUrl, token: ref.token, keys })];
  }
  const rows = [
    ["store API", storeUrl],
    ["token", ref.token],
    ["fleet API", fleetUrl],
    ...keys.filter(({ environment }) => environment === "production").map(({ key }) => ["key", key]),
    ["fleet API, sandbox", sandboxUrl],
    ...keys.filter(({ environment }) => environment === "sandbox").map(({ key }) => ["key", key]),
    ...(control === undefined ? [] : [["control", control]]),
  ];
  return rows.map(([name, value]) => `${name?.padEnd(20)}${value}`);
}
