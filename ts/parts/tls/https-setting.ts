/** The setting of the certificate for clients. */

import { optional, record } from "../../settings/record.ts";
import { absolutePath, type Setting } from "../../settings/setting.ts";
import { bothOrNone } from "../client/tls-setting.ts";
import type { HttpsOptions } from "./https.ts";

export function httpsSetting(): Setting<Pick<HttpsOptions, "certificate" | "key">> {
  return bothOrNone(record({ certificate: optional(absolutePath), key: optional(absolutePath) }));
}
