export function withFunctionVariables(text: string): string;
