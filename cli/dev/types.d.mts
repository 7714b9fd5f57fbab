/** @returns the mistakes in the types of a project; undefined for none. */
export function findTypeErrors(folder: string, signal: AbortSignal): Promise<string | undefined>;
