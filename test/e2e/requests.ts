/** Every sample request of the suite, by subject. */
import { acceptedFraming, refusedFraming } from "./requests/framing.ts";
import { acceptedHeaderFields, refusedHeaderFields } from "./requests/header-field.ts";
import { acceptedHosts, refusedHosts } from "./requests/host.ts";
import { acceptedAtLimits, refusedBeyondLimits } from "./requests/limits.ts";
import { acceptedMediaTypes, refusedMediaTypes } from "./requests/media-type.ts";
import { acceptedRequestLines, refusedMethods, refusedRequestLines } from "./requests/request-line.ts";
import type { AcceptedSample, RefusedSample } from "./requests/sample.ts";
import { acceptedStateBodies, refusedStateBodies } from "./requests/state-body.ts";
import { acceptedTargets, refusedTargets } from "./requests/target.ts";

/** What is accepted and what is refused of one subject of the wire contract. */
export interface Subject {
  readonly accepted: readonly AcceptedSample[];
  readonly refused: readonly RefusedSample[];
}

/** The samples of each subject. */
export const subjects = {
  "request line": { accepted: acceptedRequestLines, refused: refusedRequestLines },
  method: { accepted: [], refused: refusedMethods },
  "header field": { accepted: acceptedHeaderFields, refused: refusedHeaderFields },
  Host: { accepted: acceptedHosts, refused: refusedHosts },
  framing: { accepted: acceptedFraming, refused: refusedFraming },
  target: { accepted: acceptedTargets, refused: refusedTargets },
  "media type": { accepted: acceptedMediaTypes, refused: refusedMediaTypes },
  "state body": { accepted: acceptedStateBodies, refused: refusedStateBodies },
  limit: { accepted: acceptedAtLimits, refused: refusedBeyondLimits },
} as const satisfies { readonly [subject: string]: Subject };

/** Every refused sample. */
export const refusedSamples: readonly RefusedSample[] = Object.values(subjects).flatMap((subject) => subject.refused);

/** Every accepted sample. */
export const acceptedSamples: readonly AcceptedSample[] = Object.values(subjects).flatMap(
  (subject) => subject.accepted,
);
