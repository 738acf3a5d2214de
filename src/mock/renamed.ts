// The earlier names of types, so that an editor leads to the present ones.
import type { CoreResponse } from "./http/request.ts";
import type { ReferenceViolationEntry } from "./state.ts";
import type { NameCoverage } from "./testing/coverage.ts";
import type { ForcedResponse } from "./testing/rule.ts";

/** @deprecated Renamed to `ViolationEntry`: see docs/upgrade.md. */
export type UnmetEntry = ReferenceViolationEntry;

/** @deprecated Renamed to `CoreResponse`: see docs/upgrade.md. */
export type CoreAnswer = CoreResponse;

/** @deprecated Renamed to `ForcedResponse`: see docs/upgrade.md. */
export type ForcedAnswer = ForcedResponse;

/** @deprecated Renamed to `NameCoverage`: see docs/upgrade.md. */
export type Split = NameCoverage;
