import type { Experiment } from "../experiment.ts";
import type { ObservedGap, OpenGap } from "../gap.ts";
import * as stores from "./store/stores.ts";
import * as externalIds from "./store/external-ids.ts";
import * as cursors from "./store/cursors.ts";
import * as errors from "./store/errors.ts";
import * as limits from "./limits.ts";
import * as protocols from "./store/protocols.ts";
import * as ranges from "./store/ranges.ts";
import * as precision from "./store/precision.ts";
import * as photos from "./store/photos.ts";
import * as photoStatus from "./store/photo-status.ts";
import * as twoStatuses from "./store/two-statuses.ts";
import * as fillRates from "./store/fill-rates.ts";
import * as bounds from "./store/bounds.ts";
import * as expectations from "./store/expectations.ts";
import * as instants from "./store/instants.ts";
import * as timeZones from "./store/time-zones.ts";
import * as requests from "./fleet/requests.ts";
import { filtersAcrossPages } from "./fleet/filters.ts";
import * as lists from "./fleet/lists.ts";
import * as templates from "./fleet/templates.ts";
import * as details from "./fleet/details.ts";
import * as keys from "./fleet/keys.ts";
import * as scopes from "./fleet/scopes.ts";
import * as storeWrites from "./store/writes.ts";
import { bodyExternalId } from "./store/renaming.ts";
import * as listWrites from "./store/list-writes.ts";
import * as expositionWrites from "./store/exposition-writes.ts";
import * as deletions from "./fleet/deletions.ts";
import * as fleetWrites from "./fleet/writes.ts";
import * as patches from "./fleet/patches.ts";
import * as photoLists from "./store/photo-lists.ts";
import * as rateDetails from "./store/rate-details.ts";
import * as values from "./fleet/values.ts";
import { unfilteredStatus } from "./store/unfiltered-status.ts";
import * as checkedWrites from "./store/checked-writes.ts";

/** The experiment of each gap that one can decide. */
const byGap: { readonly [Gap in ObservedGap]: Experiment<Gap> } = {
  "stores.cursor-start": cursors.cursorStart,
  "stores.unknown-cursor": cursors.unknownCursor,
  "stores.null-external-id": stores.nullExternalId,
  "requests.unknown-properties": stores.unknownProperties,
  "requests.check-order": stores.checkOrder,
  "stores.external-id-characters": externalIds.externalIdCharacters,
  "responses.nullable-properties": stores.nullableProperties,
  "stores.null-cursor": cursors.nullCursor,
  "errors.issue-codes": errors.issueCodes,
  "errors.code-presence": errors.codePresence,
  "errors.other-statuses": errors.otherStatuses,
  "limits.store-rate": limits.storeRate,
  "limits.fleet-rate": limits.fleetRate,
  "protocols.id-property": protocols.idProperty,
  "protocols.id-format": protocols.idFormat,
  "protocols.next-page": protocols.nextPage,
  "protocols.order": protocols.order,
  "fill-rates.exposition-id": protocols.expositionId,
  "time-range.ends": ranges.rangeEnds,
  "time-range.inverted": ranges.invertedRange,
  "time-range.precision": precision.rangePrecision,
  "photos.page-shape": photos.pageShape,
  "photos.cursor-source": photos.cursorSource,
  "photos.status": photoStatus.photoStatus,
  "photos.two-statuses": twoStatuses.twoStatuses,
  "fill-rates.shape": fillRates.ratesShape,
  "fill-rates.calculation": fillRates.calculation,
  "fill-rates.inverted-bounds": fillRates.invertedBounds,
  "fill-rates.unknown-stores": fillRates.unknownStores,
  "fill-rates.bounds": bounds.bounds,
  "fill-rates.below-expectation": expectations.belowExpectation,
  "expectations.null-category": expectations.nullCategory,
  "weekdays.first": expectations.firstWeekday,
  "time-range.instant": instants.rangeInstant,
  "time-zones.meaning": timeZones.timeZones,
  "date-times.forms": timeZones.dateTimeForms,
  "fleet.version-header": requests.versionHeader,
  "fleet.unknown-version": requests.unknownVersion,
  "errors.undocumented-bodies": requests.undocumentedBodies,
  "fleet.limit-out-of-range": requests.limitOutOfRange,
  "fleet.page-past-end": requests.pagePastEnd,
  "fleet.malformed-ids": requests.malformedIds,
  "lists.filters-across-pages": filtersAcrossPages,
  "fleet.unknown-properties": requests.unknownProperties,
  "lists.unknown-filters": requests.unknownFilters,
  "lists.undocumented": lists.undocumentedLists,
  "fleet.undocumented-responses": lists.undocumentedResponses,
  "fleet.unsent-filters": lists.unsentFilters,
  "fields.no-response": lists.noResponse,
  "fields.no-status-rule": lists.noStatusRule,
  "templates.options": templates.templateOptions,
  "templates.inactive": templates.inactiveTemplates,
  "templates.get-one": templates.getTemplate,
  "templates.group-filter": templates.groupFilter,
  "templates.title-filter": templates.titleFilter,
  "inspections.template-properties": details.templateProperties,
  "inspections.status-values": details.inspectionStatuses,
  "damages.status-values": details.damageStatuses,
  "vehicles.type-values": details.vehicleTypes,
  "fleet.absent-properties": details.absentProperties,
  "errors.forbidden-details": keys.forbiddenDetails,
  "scopes.list-templates": scopes.listTemplatesScope,
  "scopes.get-damage": scopes.getDamageScope,
  "scopes.field-vehicles": scopes.fieldVehiclesScope,
  "scopes.implications": scopes.scopeImplications,
  "keys.review-scopes": keys.reviewScopes,
  "keys.unknown-scopes": keys.unknownScopes,
  "keys.hex-case": keys.hexCase,
  "stores.create-requirements": storeWrites.createRequirements,
  "stores.null-store-type": storeWrites.nullStoreType,
  "stores.omitted-fields": storeWrites.omittedFields,
  "stores.null-opening-times": storeWrites.nullOpeningTimes,
  "stores.body-external-id": bodyExternalId,
  "requests.unlisted-values": checkedWrites.unlistedValues,
  "limits.body-size": checkedWrites.bodySize,
  "lists.ids-after-replace": listWrites.idsAfterReplace,
  "lists.duplicates": listWrites.duplicates,
  "contacts.email-format": listWrites.emailFormat,
  "expositions.absent": expositionWrites.absent,
  "expositions.response": expositionWrites.response,
  "expositions.matching": expositionWrites.matching,
  "expositions.unknown-id": expositionWrites.unknownId,
  "expositions.omitted-title": expositionWrites.omittedTitle,
  "fleet.create-status": deletions.createStatus,
  "fleet.delete-response": deletions.deleteResponse,
  "fleet.second-delete": deletions.secondDelete,
  "fleet.deleted-resources": deletions.deletedResources,
  "fleet.put": fleetWrites.putMeaning,
  "templates.version-after-put": fleetWrites.versionAfterPut,
  "fleet.patch-content-type": patches.patchContentType,
  "fleet.patch": patches.patchShape,
  "photos.order": photoLists.photoOrder,
  "photos.unknown-ids": photoLists.unknownIds,
  "lists.unfiltered-status": unfilteredStatus,
  "photos.urls": photoLists.photoUrls,
  "fill-rates.false-flag": rateDetails.falseFlag,
  "fill-rates.empty-groups": rateDetails.emptyGroups,
  "stores.external-id-equality": externalIds.externalIdEquality,
  "fleet.search": values.search,
  "fleet.file-urls": values.fileUrls,
  "stores.unknown-references": checkedWrites.unknownReferences,
  "stores.opening-times": checkedWrites.openingTimes,
  "expositions.disabled": expositionWrites.disabledExpositions,
  "fleet.repeated-post": deletions.repeatedPost,
  "fleet.null-properties": fleetWrites.nullProperties,
};

export const experiments: readonly Experiment[] = Object.values(byGap);

/** Returns the experiments of some gaps, and the experiments that they depend on. */
export function experimentsFor(isWanted: (gap: OpenGap) => boolean): Experiment[] {
  const needed = new Set<OpenGap>();
  const add = ({ gap, after }: Experiment): void => {
    if (needed.has(gap)) return;
    needed.add(gap);
    experiments.filter((other) => after.includes(other.gap)).forEach(add);
  };
  experiments.filter(({ gap }) => isWanted(gap)).forEach(add);
  return experiments.filter(({ gap }) => needed.has(gap));
}
