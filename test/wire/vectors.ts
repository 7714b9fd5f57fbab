/** All vectors of the wire contract, by subject. */
import { bodyEnds } from "./body-end.ts";
import { chunkedDeletes } from "./chunked-delete.ts";
import { chunkedRequests } from "./chunked-request.ts";
import { connectionOptions } from "./connection-option.ts";
import { contentLengths } from "./content-length.ts";
import { expectations } from "./expectation.ts";
import { headerFields } from "./header-field.ts";
import { hosts } from "./host.ts";
import { limits } from "./limits.ts";
import { lineEnds } from "./line-end.ts";
import { mediaTypes } from "./media-type.ts";
import { methods } from "./method.ts";
import { precedences } from "./precedence.ts";
import { preconditions } from "./precondition.ts";
import { requestLines } from "./request-line.ts";
import { stateBodies } from "./state-body.ts";
import { targets } from "./target.ts";
import { transferEncodings } from "./transfer-encoding.ts";
import type { Vector } from "./vector.ts";

/**
 * The vectors of each subject, and the first 8 bytes of the SHA-256 of their JSON in hexadecimal. The digest shows each
 * accidental change: most vectors are refused, and after a change most of them are refused still. The test that fails
 * prints the new digest.
 */
export const subjects: readonly (readonly [subject: string, vectors: readonly Vector[], digest: string])[] = [
  ["the request line", requestLines, "e433c642a9fe07b4"],
  ["the method", methods, "9c371f10390731d6"],
  ["the target", targets, "4d06eb1c92b12213"],
  ["Host", hosts, "721b049e7e95b306"],
  ["the header field", headerFields, "9dd37ccfc0437b8f"],
  ["the line end", lineEnds, "b99bb2971ed46c06"],
  ["the connection option", connectionOptions, "a569dcba9f420006"],
  ["Content-Length", contentLengths, "80c1f726f223dc9d"],
  ["Transfer-Encoding", transferEncodings, "1bce2c27ca3bcb47"],
  ["chunks", chunkedRequests, "1f1284656ac833b1"],
  ["DELETE in chunks", chunkedDeletes, "e248f4fadda81cf9"],
  ["the body's end", bodyEnds, "8e79f95751427382"],
  ["the expectation", expectations, "5d2d1ccfa82a11ae"],
  ["the media type", mediaTypes, "4d01de44c02adecf"],
  ["the precondition", preconditions, "1fb8f0ac4957285c"],
  ["the state", stateBodies, "2edd00477092d8b1"],
  ["the limit", limits, "73149be8a3958fe0"],
  ["precedence", precedences, "5580f2b8134adc23"],
];

/** Every vector. */
export const vectors: readonly Vector[] = subjects.flatMap(([, ofSubject]) => ofSubject);
