import type { ReferenceServer } from "../../reference-server.ts";
import type { Base } from "../../state.ts";

/** The path of one of the three APIs on the HTTP server. */
export interface Mount {
  readonly base: Base;
  /** The path, without a trailing slash. */
  readonly path: string;
}

/**
 * The three APIs behind one port. Each keeps the path of its base URL; a path that is already used gets the name of
 * the base as a prefix.
 */
export class Mounts {
  readonly store: Mount;
  readonly fleet: Mount;
  readonly sandbox: Mount;
  readonly #longestFirst: readonly Mount[];

  constructor({ storeUrl, fleetUrl, sandboxUrl }: ReferenceServer) {
    this.store = { base: "store", path: pathOf(storeUrl) };
    this.fleet = distinctMount({ base: "fleet", path: pathOf(fleetUrl) }, [this.store]);
    this.sandbox = distinctMount({ base: "sandbox", path: pathOf(sandboxUrl) }, [this.store, this.fleet]);
    this.#longestFirst = [this.store, this.fleet, this.sandbox].toSorted(
      (a, b) => b.path.length - a.path.length,
    );
  }

  find(target: string): Mount | undefined {
    for (const mount of this.#longestFirst) {
      if (target.startsWith(mount.path) && isEnd(target.charCodeAt(mount.path.length))) return mount;
    }
    return undefined;
  }
}

/** Whether a base may end before this character: `/`, `?`, `#`, or the end of the string. */
function isEnd(code: number): boolean {
  return code === 47 || code === 63 || code === 35 || Number.isNaN(code);
}

function distinctMount(mount: Mount, others: readonly Mount[]): Mount {
  if (!others.some(({ path }) => path === mount.path)) return mount;
  return distinctMount({ base: mount.base, path: `/${mount.base}${mount.path}` }, others);
}

function pathOf(url: string): string {
  return new URL(url).pathname.replace(/\/+$/, "");
}
