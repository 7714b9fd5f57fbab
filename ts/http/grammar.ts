/** Character classes of RFC 9110 and RFC 9112 that more than one part of the parser needs, as bodies of RegExp classes. */

/** tchar of RFC 9110, 5.6.2. */
export const tokenClass = "!#$%&'*+\\-.^_`|~0-9A-Za-z";

/** What a field value may hold: HTAB, SP, VCHAR and obs-text (RFC 9110, 5.5). */
export const fieldValueClass = "\\t\\x20-\\x7e\\x80-\\xff";

/** VCHAR: what a request target is made of before its form is looked at. */
export const visibleClass = "\\x21-\\x7e";
