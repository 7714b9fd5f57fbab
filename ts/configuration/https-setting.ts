/** The setting of the certificate for clients. */
import type { HttpsOptions } from "../application/https.ts";
import { optional, record } from "./record.ts";
import { absolutePath, checked, refuse, type Setting } from "./setting.ts";

export function httpsSetting(): Setting<Pick<HttpsOptions, "certificate" | "key">> {
  const settings = record({ certificate: optional(absolutePath), key: optional(absolutePath) });
  return checked(settings, ({ certificate, key }, path, value) => {
    if ((certificate === undefined) !== (key === undefined)) refuse(value, path, "both certificate and key, or none");
  });
}
