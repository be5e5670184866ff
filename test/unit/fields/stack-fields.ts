import { deploymentSchema } from "../../../deployment/schema.ts";
import { allFields, fieldsOf, type PlacedField } from "../../../knowledge/fields/walk.ts";

/** Every field of the stack file, groups included. */
export const stackFields: readonly PlacedField[] = allFields(fieldsOf(deploymentSchema));

/** A field's path as it is written: `services.*.api.port`. */
export const written = ({ path }: PlacedField): string => path.join(".");

/** The fields that hold a value: those without fields below, and a group that decides a setting by being there. */
export const valueFields = stackFields.filter(({ fields, row }) => fields.length === 0 || row?.examples !== undefined);
