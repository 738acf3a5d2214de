import { describe, expect, it } from "vitest";
import { fleetClientReadings } from "../../../generated/readings.ts";
import { json } from "../core/stub-fetch.ts";
import { anyPage, stubClient } from "./stub-client.ts";

describe("the filters of the template list", () => {
  it.each(fleetClientReadings["templates.group-filter"])("send the group as `%s`", async (name) => {
    const { client, sent } = stubClient(() => json(anyPage), {
      readings: { "templates.group-filter": name },
    });
    await client.inspectionTemplates.list({ vehicleGroup: "g-1" });
    expect(sent[0]?.query).toEqual({ [name]: "g-1" });
  });

  it.each(fleetClientReadings["templates.title-filter"])("send the title as `%s`", async (name) => {
    const { client, sent } = stubClient(() => json(anyPage), {
      readings: { "templates.title-filter": name },
    });
    await client.inspectionTemplates.list({ title: "Daily", isActive: true });
    expect(sent[0]?.query).toEqual({ [name]: "Daily", isActive: "true" });
  });

  it("send any other name by `extra`", async () => {
    const { client, sent } = stubClient(() => json(anyPage));
    await client.inspectionTemplates.list({ extra: { groupName: "North" } });
    expect(sent[0]?.query).toEqual({ groupName: "North" });
  });
});
