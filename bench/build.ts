// The built package with the types of its sources, because users install the built package.
import type * as Fleet from "../src/client/fleet/index.ts";
import type * as Mock from "../src/mock/index.ts";
import type * as Node from "../src/client/node.ts";
import type * as Store from "../src/client/store/index.ts";
import type * as Sync from "../src/sync/index.ts";

const built = (file: string): string => new URL(`../dist/${file}`, import.meta.url).href;

export const storeModule = async (): Promise<typeof Store> =>
  (await import(built("store.js"))) as typeof Store;
export const fleetModule = async (): Promise<typeof Fleet> =>
  (await import(built("fleet.js"))) as typeof Fleet;
export const nodeModule = async (): Promise<typeof Node> => (await import(built("node.js"))) as typeof Node;
export const syncModule = async (): Promise<typeof Sync> => (await import(built("sync.js"))) as typeof Sync;
export const mockModule = async (): Promise<typeof Mock> => (await import(built("mock.js"))) as typeof Mock;
