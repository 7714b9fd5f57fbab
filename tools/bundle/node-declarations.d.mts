export function writeGlobalDeclarations(folder: string): Promise<void>;
