/** @returns what `name` means: as a kind, as a key or a limit, and in the API. */
export function explanations(name: string): string[];
