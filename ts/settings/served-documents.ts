/** What a device serves beside its nouns, unless its configuration lists less. */
export const servedDocuments = ["description", "openapi", "metrics", "page", "changes", "history"] as const;
