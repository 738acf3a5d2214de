import type { FleetContext } from "./context.ts";
import { damageView } from "./damage-view.ts";
import { newDamage } from "./inspection-writes.ts";
import { DAMAGE_SYNONYMS } from "./references.ts";
import { resourceHandlers } from "./resource-handlers.ts";

/** The operations of damages. A PUT keeps the time and the inspection of a damage if its body leaves them out. */
export const damages = resourceHandlers("damages", {
  defaults: ({ clock }: FleetContext) => newDamage(clock.now().toISOString()),
  preserved: ["reportedAt", "inspectionId", "inspection"],
  synonyms: DAMAGE_SYNONYMS,
  detail: (row, { data, readings }) => damageView(row, data, readings),
});
