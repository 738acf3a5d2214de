import * as z from "zod/mini";
import {
  zDamage,
  zInspection,
  zInspectionResponse,
  zInspectionTemplate,
  zPerson,
  zTemplateItem,
  zTemplateItemInputType,
  zVehicleField,
} from "../../../generated/fleet.schemas.ts";
import { inputSchema } from "../server/bodies.ts";
import { instantSchema } from "../server/clock.ts";
import { partsOf, type Schema } from "../server/schemas.ts";
import type { FleetResource } from "./data.ts";

const text = z.optional(z.string());

const listOf = (element: Schema): Schema => z.optional(z.array(element));

/** Returns a schema without one of its properties. */
function without(name: string, schema: Schema): Schema {
  const { [name]: _, ...shape } = partsOf(schema).shape ?? {};
  return z.strictObject(shape);
}

const vehicleForm = (): Schema => inputSchema(zInspection.shape.vehicles.def.element);

const damageForm = (): Schema => inputSchema(zDamage);

/** The items of a template. gap templates.options */
const itemForm = (): Schema =>
  inputSchema(zTemplateItem, { inputType: z.optional(zTemplateItemInputType), options: listOf(z.string()) });

const responseForm = (): Schema =>
  inputSchema(zInspectionResponse, {
    templateItemId: text,
    vehicleId: text,
    updatedAt: z.optional(instantSchema),
  });

/**
 * The forms of the bodies of each resource. The contract gives only method and path of these operations; the names and types
 * come from other responses of the contract, and a few are invented. gap fleet.input-shapes
 */
const forms: Readonly<Record<Exclude<FleetResource, "vehicleFields">, () => Schema>> = {
  vehicles: vehicleForm,
  vehicleGroups: () => inputSchema(zVehicleField.shape.groups.def.element),
  inspections: () =>
    inputSchema(zInspection, {
      id: text,
      vehicleIds: listOf(z.string()),
      vehicles: listOf(z.union([z.string(), vehicleForm()])),
      responses: listOf(responseForm()),
      damages: listOf(without("inspection", damageForm())),
    }),
  inspectionTemplates: () =>
    inputSchema(zInspectionTemplate, { groupIds: listOf(z.string()), items: listOf(itemForm()) }),
  damages: () => z.strictObject({ ...partsOf(damageForm()).shape, inspectionId: text }),
  driverAssignments: () =>
    z.strictObject({
      id: text,
      vehicleId: text,
      driver: z.optional(inputSchema(zPerson)),
      driverId: text,
      assignedAt: z.optional(instantSchema),
      note: text,
    }),
};

const known = new Map<FleetResource, Schema>();

/** Returns the form of the bodies of a resource; without one, the resource cannot be written. */
export function formOf(resource: FleetResource): Schema | undefined {
  if (resource === "vehicleFields") return undefined;
  // it takes some milliseconds, which a server without writes saves
  const form = known.get(resource) ?? forms[resource]();
  known.set(resource, form);
  return form;
}
