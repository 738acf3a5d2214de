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

  it.each(["search", "vehicleGroupId"])("reject their name in the URL: %s", async (name) => {
    const { client, sent } = stubClient(() => json(anyPage));
    const expected =
      "is not a parameter of this operation. Expected one of page, limit, vehicleGroup, title, isActive";
    const query = { [name]: "a", title: "Daily" };
    await expect(client.inspectionTemplates.list(query)).rejects.toThrow(`${name}: ${expected}`);
    const property = name === "search" ? "title" : "vehicleGroup";
    await expect(client.inspectionTemplates.list({ extra: { [name]: "a" } })).rejects.toThrow(
      `extra.${name}: is a documented parameter: pass it as \`${property}\``,
    );
    expect(sent).toEqual([]);
  });

  it("send any other name by `extra`", async () => {
    const { client, sent } = stubClient(() => json(anyPage));
    await client.inspectionTemplates.list({ extra: { groupName: "North" } });
    expect(sent[0]?.query).toEqual({ groupName: "North" });
  });
});
