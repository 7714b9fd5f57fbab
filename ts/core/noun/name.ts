/** The names of nouns. */

/**
 * A noun's name in its one form, lower case: 1 to 64 of `a-z 0-9 . _ ~ -`, the unreserved characters of RFC 3986. It is
 * not `.` or `..`, which clients remove from a path (RFC 3986, section 5.2.4).
 */
export type NounName = string & { readonly brand: "NounName" };

/** A name in any case. */
export const nounNamePattern = /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,64}$/;

/**
 * @param text a name in any case.
 * @returns the name in lower case.
 * @throws TypeError when it is not 1 to 64 of the permitted characters.
 */
export function parseNounName(text: string): NounName {
  // The pattern comes first: lower-casing turns a few characters outside ASCII (U+212A, the Kelvin sign) into letters.
  if (typeof text !== "string" || !nounNamePattern.test(text)) {
    throw new TypeError(
      `A noun's name has 1 to 64 characters of a-z 0-9 . _ ~ -, and is not . or ..; ${JSON.stringify(text)} ` +
        `is not such a name.`,
    );
  }
  return text.toLowerCase() as NounName;
}
