import { parseInstant } from "../../../../wire/instants.ts";
import type { ImageStatus, ProtocolStatus } from "../../../../../generated/store.ts";
import { protocolStatuses } from "../../../../../generated/store.enums.ts";
import { Random } from "../../../../wire/random.ts";
import { SEEDED_SPAN } from "../../../seed/seed-plan.ts";
import type { StoreSeedPlan } from "./plan.ts";
import type { PhotoRow, ProtocolRow } from "../data.ts";
import { buildExpositions } from "./lists.ts";

/** Builds three to six protocols, or `protocolsPerStore`, spread over the 28 days before the server was created. */
export function buildProtocols(plan: StoreSeedPlan, externalId: string): ProtocolRow[] {
  const random = new Random(plan.seed, "protocols", externalId);
  const count = plan.options.protocolsPerStore ?? random.integer(3, 6);
  const step = SEEDED_SPAN / Math.max(count, 1);
  return Array.from({ length: count }, (_, index): ProtocolRow => {
    const status = random.chance(0.6) ? "completed" : random.pick(protocolStatuses);
    const at = plan.now - SEEDED_SPAN + Math.floor((index + random.fraction() * 0.9) * step);
    return {
      protocolId: protocolId(plan, externalId, index, random),
      externalId,
      status,
      createdAt: new Date(at).toISOString(),
      submittedAt: status === "awaiting_submission" ? null : new Date(at + 60_000).toISOString(),
    };
  });
}

function protocolId({ readings }: StoreSeedPlan, externalId: string, index: number, random: Random): string {
  // gap protocols.id-format
  if (readings["protocols.id-format"] === "uuid") return random.uuid();
  random.skipUuid(); // the other properties are the same under both readings
  return `P-${externalId}-${index + 1}`;
}

/** The possible statuses of images for each status of their protocol. */
const IMAGE_STATUSES: Record<ProtocolStatus, readonly [ImageStatus, ...ImageStatus[]]> = {
  awaiting_submission: ["pending"],
  awaiting_processing: ["uploaded", "pending"],
  processing: ["annotating", "annotated", "evaluating", "completed"],
  completed: ["completed", "completed", "completed", "completed", "completed", "failed"],
  failed: ["failed", "uploaded"],
};

/** Builds one or two photos of each exposition for each protocol; completed ones have a fill rate. */
export function buildPhotos(plan: StoreSeedPlan, externalId: string): PhotoRow[] {
  const expositions = buildExpositions(plan, externalId);
  const typicalFillRate = new Random(plan.seed, "fullness", externalId).integer(30, 90);
  return buildProtocols(plan, externalId).flatMap((protocol, index) => {
    const random = new Random(plan.seed, "photos", externalId, index);
    const photographed = expositions.flatMap((exposition) =>
      random.chance(0.3) ? [exposition, exposition] : [exposition],
    );
    return photographed.map(({ expositionId }, number) => {
      const id = `I-${externalId}-${index + 1}-${number + 1}`;
      return buildPhoto(protocol, expositionId, id, number, typicalFillRate, random);
    });
  });
}

function buildPhoto(
  protocol: ProtocolRow,
  expositionId: string,
  photoId: string,
  number: number,
  typicalFillRate: number,
  random: Random,
): PhotoRow {
  const status = random.pick(IMAGE_STATUSES[protocol.status as ProtocolStatus]);
  const fillRate = Math.min(Math.max(typicalFillRate + random.integer(-250, 250) / 10, 0), 100);
  return {
    photoId,
    protocolId: protocol.protocolId,
    expositionId,
    status,
    fillRate: status === "completed" ? fillRate : null,
    createdAt: new Date(parseInstant(protocol.createdAt) + number * 1000).toISOString(),
    url: `https://images.reference.test/${encodeURIComponent(photoId)}.jpg`,
  };
}
