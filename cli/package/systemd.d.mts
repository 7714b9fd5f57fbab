export function systemdFiles(name: string): Readonly<Record<string, string>>;
