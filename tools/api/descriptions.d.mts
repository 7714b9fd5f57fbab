import type { JsonSchema } from "../../ts/settings/setting.ts";

export function withDescriptions(schema: JsonSchema): JsonSchema;
