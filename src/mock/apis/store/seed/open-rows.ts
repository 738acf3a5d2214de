import type { JsonObject } from "../../../../../generated/store.ts";
import { parseInstant } from "../../../../wire/instants.ts";
import { elementsAt, idAt, objectAt } from "../../../seed/state-checks.ts";

/**
 * Checks the properties of a photo that the server interprets; the contract leaves them open. Throws an error that
 * names the invalid place.
 */
export function assertPhoto({ createdAt }: JsonObject, place: string): void {
  if (typeof createdAt === "string" && !Number.isNaN(parseInstant(createdAt))) return;
  throw new Error(`${place}.createdAt must be an ISO 8601 date-time`);
}

/** Like `assertPhoto`, for a protocol. Without `images`, its images are its photos. */
export function assertProtocol(row: JsonObject, place: string): void {
  assertPhoto(row, place);
  const { protocolId, images } = row;
  if (typeof protocolId === "string") idAt(protocolId, `${place}.protocolId`);
  if (images === undefined || images === null) return;
  for (const [index, image] of elementsAt(images, `${place}.images`).entries())
    objectAt(image, `${place}.images[${index}]`);
}
