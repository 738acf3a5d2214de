import { expect, test } from "vitest";
import type { StoreSeed } from "../../../src/mock/index.ts";
import { ALL_TIME, Caller, issuePaths, items } from "../caller.ts";

const PHOTOS: StoreSeed = {
  externalId: "S-1",
  protocols: [
    { protocolId: "P-1", status: "completed" },
    { protocolId: "P-2", status: "processing" },
  ],
  photos: [
    { photoId: "I-1", protocolId: "P-1", status: "annotated" },
    { photoId: "I-2", protocolId: "P-2", status: "annotated" },
    { photoId: "I-3", protocolId: "P-1", status: "failed" },
  ],
};

test("photos.two-statuses decides whether a second status is rejected or both match", async () => {
  const path = `/v1/stores/S-1/photos?${ALL_TIME}&status=completed&status=annotated`;
  const one = new Caller({ store: { stores: [PHOTOS] } });
  expect(issuePaths(await one.get(path))).toEqual(["status"]);
  const both = new Caller({ store: { stores: [PHOTOS] }, readings: { "photos.two-statuses": "both" } });
  expect(items(await both.get(path)).map(({ photoId }) => photoId)).toEqual(["I-1"]);
  expect(
    issuePaths(
      await both.get(path.replace("=completed", "=processing").replace("annotated", "awaiting_processing")),
    ),
  ).toEqual(["status"]);
  expect(issuePaths(await both.get(`${path}&status=failed`))).toEqual(["status"]);
  expect(items(await both.get(`${path.slice(0, -17)}&secondStatus=annotated`))).toHaveLength(2);
});
