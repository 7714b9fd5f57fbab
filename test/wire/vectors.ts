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

/** The vectors of each subject. */
export const subjects: readonly (readonly [subject: string, vectors: readonly Vector[]])[] = [
  ["the request line", requestLines],
  ["the method", methods],
  ["the target", targets],
  ["Host", hosts],
  ["the header field", headerFields],
  ["the line end", lineEnds],
  ["the connection option", connectionOptions],
  ["Content-Length", contentLengths],
  ["Transfer-Encoding", transferEncodings],
  ["chunks", chunkedRequests],
  ["DELETE in chunks", chunkedDeletes],
  ["the body's end", bodyEnds],
  ["the expectation", expectations],
  ["the media type", mediaTypes],
  ["the precondition", preconditions],
  ["the state", stateBodies],
  ["the limit", limits],
  ["precedence", precedences],
];

/** Every vector. */
export const vectors: readonly Vector[] = subjects.flatMap(([, ofSubject]) => ofSubject);
