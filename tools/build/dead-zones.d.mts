/** What of dead-zones.mjs the tests use. */
export function withoutDeadZones(text: string): string;
