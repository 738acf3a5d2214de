import type { JsonObject } from "../../../../generated/fleet.ts";
import type { FleetContext, FleetHandler } from "./context.ts";
import { damageView } from "./damage-view.ts";
import { envelope } from "./envelope.ts";
import { newDamage } from "./inspection-writes.ts";
import { rowsIn, unshownPageAnswer } from "./page.ts";
import { DAMAGE_SYNONYMS } from "./references.ts";
import { added, created, deletable, deleted, known, put, readRow, readable } from "./rows.ts";

/** `GET /damages` */
export const listDamages: FleetHandler = {
  run: (context) => unshownPageAnswer(context, rowsIn(context.data.damages)),
};

/** `GET /damages/{id}` */
export const getDamage: FleetHandler = {
  find: readable("damages"),
  run: (context) => {
    const row = readRow(context, "damages") ?? {};
    return envelope(damageView(row, context.data, context.readings));
  },
};

/** `POST /damages` */
export const createDamage: FleetHandler = {
  run: (context) => {
    const row = { ...newDamage(now(context)), ...(context.body as JsonObject) };
    return created(context, added(context, "damages", row));
  },
};

/** `PUT /damages/{id}`; when it was reported, and in which inspection, outlives a body that does not say it. */
export const updateDamage: FleetHandler = {
  find: known("damages"),
  run: (context) => {
    const given = newDamage(now(context));
    const upkeep = { given, kept: ["reportedAt", "inspectionId", "inspection"], synonyms: DAMAGE_SYNONYMS };
    return envelope(put(context, "damages", upkeep));
  },
};

/** `DELETE /damages/{id}` */
export const deleteDamage: FleetHandler = {
  find: deletable("damages"),
  run: (context) => deleted(context, "damages"),
};

function now({ clock }: FleetContext): string {
  return clock.now().toISOString();
}
