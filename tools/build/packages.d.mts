export function missingPackages(set: string, root?: string): string | undefined;
export function needPackages(...names: readonly string[]): void;
