/** Documents as a part of a server. */

import type { PartPlan } from "../../../ts/core/server/part.ts";
import type { DocumentSet } from "../../../ts/parts/documents/documents.ts";
import { documentsKey } from "../../../ts/parts/documents/part.ts";

export function documentsPlan(open: PartPlan<DocumentSet>["open"]): PartPlan<DocumentSet> {
  return {
    ...documentsKey,
    opens: "with the server",
    open,
    find: (head, scheme, { parts }) => parts.find(documentsKey)?.find(head, scheme),
  };
}
