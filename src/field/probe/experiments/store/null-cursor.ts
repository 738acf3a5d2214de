import { largestPage } from "../../../routes.ts";
import { control } from "../../controls.ts";
import { bodyOf, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { storeOf } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import { STORES, idsOf, storePage } from "./data.ts";

/** The cursor of a page that ends with a store without an external ID. */
interface NullCursor {
  /** Whether stores with an ID follow a store without an ID. */
  readonly isSpread: boolean;
  readonly cursor: unknown;
  readonly lastId: string | undefined;
}

export const nullCursor = experiment<"stores.null-cursor", NullCursor>({
  gap: "stores.null-cursor",
  cost: 2,
  after: ["stores.null-external-id", "stores.cursor-start"],
  needs: "a store without external ID before stores with one, or several at the end of the list",
  assumes: "The list has the same order in two requests.",
  // stores without external ID may end the list by chance
  everyEntity: true,
  observe: async function* observe(tools) {
    const whole = await storePage(tools);
    const all = rowsOf(whole).map(({ externalId }) => externalId);
    const at = all.indexOf(null);
    const after = all.slice(at + 1);
    if (at < 0) throw new Missing("a store without external ID on the first page");
    // otherwise the cursor is the ID of the next page's first store under every reading
    if (tools.premise("stores.cursor-start") !== "after")
      throw new Missing("cursors that are the last ID of their page");
    if (after.every((id) => id === null)) {
      if (after.length === 0) throw new Missing("several stores without external ID");
      const observed = { isSpread: false, cursor: undefined, lastId: undefined };
      const reason = `${after.length + 1} stores without external ID end the list.`;
      const again = await tools.ask(storeOf(tools), STORES, largestPage(STORES), { fresh: true });
      const isSame = control(
        "the list stays the same",
        String(rowsOf(again).map((row) => row.externalId)) === String(all),
      );
      const isWhole = control("the page has the whole list", bodyOf(whole).nextCursor === null);
      yield observation("stores", observed, reason, [isSame, isWhole], whole, again);
      return;
    }
    for (const limit of [at + 1, all.lastIndexOf(null) + 1]) {
      const page = await tools.ask(storeOf(tools), STORES, { limit: String(limit) });
      const lastId = idsOf(page).at(-1);
      // a page without any ID cannot have one as its cursor
      const isClear = lastId !== undefined && limit < all.length;
      if (rowsOf(page).at(-1)?.externalId !== null || !isClear) continue;
      const cursor = bodyOf(page).nextCursor;
      const reason = `A page that ends with a store without external ID has the cursor ${JSON.stringify(cursor)}.`;
      const ids = rowsOf(page).map(({ externalId }) => externalId);
      const isStart = control("the page begins the whole list", String(ids) === String(all.slice(0, limit)));
      const observed = { isSpread: true, cursor, lastId };
      yield observation(`${limit} ${tools.round}`, observed, reason, [isStart], page);
    }
  },
  readings: {
    "last-page": { isSpread: false },
    "last-not-null": ({ isSpread, cursor, lastId }) => isSpread && cursor === lastId,
    "null-early": { isSpread: true, cursor: null },
  },
});
