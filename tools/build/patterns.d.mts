/** What of patterns.mjs the tests use. */
export function withoutPatterns(text: string): string;
