/** The documents of a server, and its page: what is known of them before the first client requests one. */
import type { Document } from "../../core/server/document.ts";
import type { PartKey, PartPlan } from "../../core/server/part.ts";
import { checkDevice, type DeviceOptions, documentFacts, documentsOn } from "./device-options.ts";
import { DocumentSet } from "./documents.ts";
import { contactOf, contentOf, type DeviceFacts, page } from "./written-documents.ts";

export {
  addressPattern,
  type DeviceOptions,
  type DocumentSwitches,
  documentNamed,
  documentsOn,
  uuidPattern,
} from "./device-options.ts";
export type { DeviceFacts };

export const documentsKey: PartKey<DocumentSet> = { name: "documents" };

/**
 * Nothing of the documents is loaded or written before a client requests one.
 * @throws TypeError naming an option that is malformed.
 */
export function documents(options: DeviceOptions, facts: DeviceFacts): PartPlan<DocumentSet> {
  checkDevice(options);
  const hasPage = options.documents?.page !== false;
  const all = documentsOn(options).map((name): Document => {
    const about = documentFacts[name];
    return {
      ...about,
      switchOff: `switch "documents.${name}" off`,
      content: () => contentOf(name, about.type, facts, hasPage),
    };
  });
  if (facts.platform.system.contact !== "") {
    const type = "text/plain; charset=utf-8";
    const about = { path: "/.well-known/security.txt", type, title: "Contact for vulnerabilities", isPublic: true };
    all.push({ ...documentFacts.metrics, ...about, switchOff: "", content: () => contactOf(type, facts) });
  }
  return {
    ...documentsKey,
    opens: "with the server",
    open: (host) => new DocumentSet(all, hasPage ? page : undefined, host),
    find: (head, scheme, { parts }) => parts.find(documentsKey)?.find(head, scheme),
  };
}
