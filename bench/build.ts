// The built package, under the types of its sources: what is measured is what users install.

const built = (file: string): string => new URL(`../dist/${file}`, import.meta.url).href;

export const storeModule = async (): Promise<typeof import("../src/store/index.ts")> =>
  import(built("store.js"));

export const fleetModule = async (): Promise<typeof import("../src/fleet/index.ts")> =>
  import(built("fleet.js"));

export const mockModule = async (): Promise<typeof import("../src/mock/index.ts")> => import(built("mock.js"));

export const mockNodeModule = async (): Promise<typeof import("../src/mock/node.ts")> =>
  import(built("mock/node.js"));
