export function withDirectCalls(text: string, groupOf: (path: string) => string | undefined): string;
