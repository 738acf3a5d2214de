/** The names of the objects that the contracts leave open, in the option `shapes`. */
export const shapeNames = {
  store: ["protocol", "protocolImage", "photo", "storeFillRates", "expositionFillRate", "fillRates"],
  fleet: [
    "vehicle",
    "vehicleGroup",
    "inspectionSummary",
    "damageSummary",
    "driverAssignment",
    "vehicleInput",
    "vehicleGroupInput",
    "inspectionInput",
    "inspectionTemplateInput",
    "damageInput",
    "driverAssignmentInput",
  ],
} as const;
