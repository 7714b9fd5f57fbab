/**
 * The console of the web, as far as a program without a screen needs it: lines on standard error. `log`, `info` and
 * `debug` write if requests are logged, `warn` and `error` also if only failures are. Each call writes one line. Text
 * from a client cannot forge another line.
 */
import { describeError } from "../../../core/noun/failure.ts";
import { logMessage } from "../../../platform/log.ts";

function show(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Error) return describeError(value);
  if (typeof value !== "object" || value === null) return String(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value); // a cycle, or a BigInt inside
  }
}

function write(least: "errors" | "requests", data: readonly unknown[]): void {
  logMessage(least, () => data.map(show).join(" "));
}

/** The console of an application on a device. */
export const console = {
  log: (...data: readonly unknown[]): void => write("requests", data),
  info: (...data: readonly unknown[]): void => write("requests", data),
  debug: (...data: readonly unknown[]): void => write("requests", data),
  warn: (...data: readonly unknown[]): void => write("errors", data),
  error: (...data: readonly unknown[]): void => write("errors", data),
};
