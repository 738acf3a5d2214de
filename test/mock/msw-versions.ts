import type * as mswNode from "msw/node";
import { vi } from "vitest";
import type * as entry from "../../src/mock/msw.ts";

type MswNode = typeof mswNode;
type Entry = typeof entry;

/** One major version of msw. Its tests run isolated, because modules are replaced (vitest.config.ts). */
class MswVersion {
  readonly #core: () => Promise<object>;
  readonly #node: () => Promise<object>;

  constructor(core: () => Promise<object>, node: () => Promise<object>) {
    this.#core = core;
    this.#node = node;
  }

  /** Lets modules that are imported from now on have this version. */
  select(): void {
    vi.doMock("msw", this.#core);
    vi.doMock("msw/node", this.#node);
  }

  /** Imports the handlers and `msw/node` with this version. */
  async load(): Promise<Entry & MswNode> {
    vi.resetModules();
    this.select();
    return { ...(await import("../../src/mock/msw.ts")), ...((await this.#node()) as MswNode) }; // or that of msw 2
  }
}

/** Each supported major version of msw. */
export const mswVersions: [name: string, version: MswVersion][] = [
  [
    "msw 3",
    new MswVersion(
      () => vi.importActual("msw"),
      () => vi.importActual("msw/node"),
    ),
  ],
  [
    "msw 2",
    new MswVersion(
      () => import("msw2"),
      () => import("msw2/node"),
    ),
  ],
];
