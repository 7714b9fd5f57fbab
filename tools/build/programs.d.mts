export function runsPrograms(folder: string): boolean;
