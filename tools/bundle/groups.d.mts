export const groups: Readonly<Record<string, readonly string[]>>;
export const passingGroups: readonly string[];
export const deflatedGroups: readonly string[];
export const deflatedTexts: readonly string[];
