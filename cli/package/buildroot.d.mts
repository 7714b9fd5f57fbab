export function buildrootFiles(project: {
  readonly name: string;
  readonly version: string;
}): Readonly<Record<string, string>>;
