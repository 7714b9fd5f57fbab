/** The setting of what the device serves beside its nouns. */
import { type ChangesOptions, changesOption, isOfChanges } from "../../parts/changes/part.ts";
import { type DeviceOptions, documentNamed } from "../../parts/documents/part.ts";
import { type HistoryOptions, historyOption } from "../../parts/history/part.ts";
import { listOf } from "../../settings/record.ts";
import { servedDocuments } from "../../settings/served-documents.ts";
import { converted, isList, type Setting, textThat } from "../../settings/setting.ts";

/** Those that may have a number behind them, which is that of an option. */
const numbers = { changes: changesOption, history: historyOption } as const;

const pattern =
  /^(description|openapi|metrics|page|changes|history)(?: ([1-9][0-9]{0,6}))?$|^history [1-9][0-9]{0,6} restore$/;

/** Behind the number of a history that goes on over a restart. */
const restored = " restore";

/** @returns the name of a document, and its number or undefined; undefined for a text that names none. */
function parsed(text: string): readonly [name: string, number: number | undefined] | undefined {
  const [, name = "", digits] = pattern.test(text) ? (pattern.exec(text.replace(restored, "")) ?? []) : [];
  if (digits === undefined) return name === "" ? undefined : [name, undefined];
  const isIn = (name === "changes" || name === "history") && Number(digits) <= numbers[name].maximum;
  return isIn ? [name, Number(digits)] : undefined;
}

/** The options of a server that its documents decide. */
export type ServedOptions = Pick<DeviceOptions, "documents"> &
  ChangesOptions &
  HistoryOptions & {
    /** Whether the folder of states keeps the history. */
    readonly keepsHistory?: true;
  };

/** @returns the options of a server that serves these documents. */
function servedOf(texts: readonly string[]): ServedOptions {
  const served = new Map(texts.flatMap((text) => [parsed(text) ?? []] as (readonly [string, number | undefined])[]));
  const [description = false, openapi = false, metrics = false, page = false] = servedDocuments.map((name) =>
    served.has(name),
  );
  const option = (name: keyof typeof numbers) => {
    const number = served.has(name) ? served.get(name) : 0;
    return number === undefined ? {} : { [name]: number };
  };
  const kept = texts.some((text) => text.endsWith(restored)) ? ({ keepsHistory: true } as const) : {};
  return { documents: { description, openapi, metrics, page }, ...option("changes"), ...option("history"), ...kept };
}

/** A list such as `["page", "changes 64"]`, which may be empty. */
export function documentsServed(): Setting<ServedOptions> {
  const { changes, history } = numbers;
  const expected =
    `one of ${servedDocuments.map((name) => `"${name}"`).join(", ")}; ` +
    `"changes" may have a number up to ${changes.maximum} behind it, and "history" one up to ${history.maximum}, ` +
    'with "restore" behind that or without';
  const listed = listOf(textThat((text) => parsed(text) !== undefined, expected, pattern));
  const list: Setting<readonly string[]> = {
    expected: "a list of documents",
    schema: () => ({ ...listed.schema(), minItems: 0, default: servedDocuments }),
    read: (value, path) => (isList(value) && value.length === 0 ? [] : listed.read(value, path)),
  };
  return converted(list, servedOf);
}

/** @returns the documents but for the one that is served at the path of this noun; undefined if there is none. */
export function withoutDocumentOf(noun: string, served: ServedOptions): readonly string[] | undefined {
  const document = documentNamed(noun, served) ?? (isOfChanges(noun, served) ? "changes" : undefined);
  return document && servedDocuments.filter((one) => one !== document);
}
