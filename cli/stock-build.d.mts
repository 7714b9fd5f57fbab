export function developmentTarget(folderOf?: (target: string) => string): string;
