import type { FleetContext, FleetHandler } from "./context.ts";
import { damageView } from "./damage-view.ts";
import { deleteRow } from "./deletions.ts";
import { envelope } from "./envelope.ts";
import { newDamage } from "./inspection-writes.ts";
import { rowsIn, undocumentedPageResponse } from "./page.ts";
import { DAMAGE_SYNONYMS } from "./references.ts";
import {
  addRow,
  createdResponse,
  requireDeletable,
  requireRow,
  replaceRow,
  readRow,
  requireReadable,
} from "./rows.ts";

/** `GET /damages` */
export const listDamages: FleetHandler = {
  run: (context) => undocumentedPageResponse(context, rowsIn(context, "damages")),
};

/** `GET /damages/{id}` */
export const getDamage: FleetHandler = {
  find: requireReadable("damages"),
  run: (context) => {
    const row = readRow(context, "damages") ?? {};
    return envelope(damageView(row, context.data, context.readings));
  },
};

/** `POST /damages` */
export const createDamage: FleetHandler = {
  run: (context) => {
    const row = { ...newDamage(now(context)), ...context.body };
    return createdResponse(context, addRow(context, "damages", row));
  },
};

/** `PUT /damages/{id}`; its time and its inspection are kept if the body leaves them out. */
export const updateDamage: FleetHandler = {
  find: requireRow("damages"),
  run: (context) => {
    const defaults = newDamage(now(context));
    const rules = {
      defaults,
      preserved: ["reportedAt", "inspectionId", "inspection"],
      synonyms: DAMAGE_SYNONYMS,
    };
    return envelope(replaceRow(context, "damages", rules));
  },
};

/** `DELETE /damages/{id}` */
export const deleteDamage: FleetHandler = {
  find: requireDeletable("damages"),
  run: (context) => deleteRow(context, "damages"),
};

function now({ clock }: FleetContext): string {
  return clock.now().toISOString();
}
