/** What is measured, for Prometheus: its text format 0.0.4. */
import type { ChoiceKey, Key, Shape } from "../noun/shape.ts";
import type { Scalar, State } from "../noun/state.ts";

/** A noun and what reading it gave. */
export interface MeasuredNoun {
  readonly name: string;
  readonly shape?: Shape | undefined;
  /** Undefined when the noun failed or did not answer in time. */
  readonly state: State | undefined;
}

/** What a server counts. */
export interface Counts {
  /** Answers since the start, by status code. */
  readonly requests: { readonly [status: number]: number };
  /** Open connections. */
  readonly connections: number;
  /** Open streams of events. */
  readonly streams: number;
  /** Bytes of memory that the script has. */
  readonly memoryBytes: number;
  /** Of nound. */
  readonly version: string;
  /** s since 1970 at which the process started. */
  readonly startTime: number;
}

type Labels = { readonly [name: string]: string };

/** One measured value. */
type Sample = readonly [Labels, number];

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function line(name: string, [labels, value]: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}\n`;
}

/** All samples of one name; nothing without samples. */
function family(name: string, type: "gauge" | "counter", help: string, samples: readonly Sample[]): string {
  if (samples.length === 0) return "";
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.map((sample) => line(name, sample)).join("")}`;
}

function toNumber(value: Scalar): number | undefined {
  return typeof value === "number" ? value : typeof value === "boolean" ? Number(value) : undefined;
}

/** A choice of numbers or truth values is written as a number. */
function isNamedChoice(key: Key | undefined): key is ChoiceKey {
  return key?.type === "choice" && key.values.some((value) => typeof value === "string");
}

/** A key of a state, with its value. */
interface Measured {
  readonly noun: string;
  readonly name: string;
  readonly key: Key | undefined;
  readonly value: Scalar;
}

function measure({ name: noun, shape = {}, state = {} }: MeasuredNoun): Measured[] {
  return Object.entries(state).map(([name, value]) => ({
    noun,
    name,
    key: Object.hasOwn(shape, name) ? shape[name] : undefined,
    value,
  }));
}

function valueSamples({ noun, name, key, value }: Measured): Sample[] {
  const number = isNamedChoice(key) ? undefined : toNumber(value);
  return number === undefined ? [] : [[{ noun, key: name }, number]];
}

function choiceSamples({ noun, name, key, value }: Measured): Sample[] {
  if (!isNamedChoice(key)) return [];
  // Two values may be the same text: 1 and "1".
  const texts = new Set(key.values.map(String));
  return Array.from(texts, (text): Sample => [{ noun, key: name, value: text }, Number(String(value) === text)]);
}

function infoSamples(measured: Measured): Sample[] {
  const { noun, name, key } = measured;
  return valueSamples(measured).length === 0 ? [] : [[{ noun, key: name, unit: key?.unit ?? "" }, 1]];
}

/**
 * @param nouns in the order of their registration.
 * @returns what is measured, of the type `text/plain; version=0.0.4; charset=utf-8`. Strings that no shape lists are left out.
 */
export function metrics(nouns: readonly MeasuredNoun[], counts: Counts): string {
  const measured = nouns.flatMap(measure);
  const up = nouns.map(({ name, state }): Sample => [{ noun: name }, Number(state !== undefined)]);
  const requests = Object.entries(counts.requests).filter(([, count]) => count > 0); // in ascending order (ECMA-262, 10.1.11.1)
  const single = (value: number): Sample[] => [[{}, value]];
  return [
    family("nound_noun_value", "gauge", "A number of a noun's state; true is 1.", measured.flatMap(valueSamples)),
    family(
      "nound_noun_choice",
      "gauge",
      "1 for the value that a key has, 0 for the others.",
      measured.flatMap(choiceSamples),
    ),
    family("nound_noun_info", "gauge", "The unit of a key of a noun's state.", measured.flatMap(infoSamples)),
    family("nound_noun_up", "gauge", "1 for a noun that could be read.", up),
    family(
      "nound_requests_total",
      "counter",
      "Requests answered, by status code.",
      requests.map(([code, count]): Sample => [{ code }, count]),
    ),
    family("nound_connections", "gauge", "Open connections.", single(counts.connections)),
    family("nound_streams", "gauge", "Open streams of events.", single(counts.streams)),
    family(
      "nound_memory_bytes",
      "gauge",
      "Memory of nouns, requests and everything they hold.",
      single(counts.memoryBytes),
    ),
    family("nound_build_info", "gauge", "The version of nound.", [[{ version: counts.version }, 1]]),
    family(
      "process_start_time_seconds",
      "gauge",
      "Start of the process since 1970 in seconds.",
      single(counts.startTime),
    ),
  ].join("");
}
