export function withDirectCalls(
  text: string,
  callOf: (path: string) => { readonly loader: string; readonly first: string } | undefined,
): string;
