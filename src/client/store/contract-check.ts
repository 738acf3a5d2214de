// Loaded with the first body, or response under `validate: "full"`: other programs do not load zod.
import * as inputs from "../../../generated/store.inputs.ts";
import * as schemas from "../../../generated/store.schemas.ts";
import { ContractCheck } from "../contract-check.ts";

export const check = new ContractCheck({ ...schemas, ...inputs });
