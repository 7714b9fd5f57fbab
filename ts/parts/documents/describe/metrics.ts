/** Measurements for Prometheus, in its text format 0.0.4. */
import type { ChoiceKey, Key } from "../../../core/noun/shape.ts";
import type { Scalar, State } from "../../../core/noun/state.ts";
import type { Measure, Sample } from "../../../core/server/measure.ts";
import type { DescribedDevice, DescribedNoun } from "./described-device.ts";

/** A noun and what reading it gave. */
export interface MeasuredNoun extends Pick<DescribedNoun, "name" | "shape"> {
  /** Undefined when the noun failed or did not answer in time. */
  readonly state: State | undefined;
}

export interface Counts extends Pick<DescribedDevice, "version" | "model" | "kernel"> {
  /** Answers since the start, by status code. */
  readonly requests: { readonly [status: number]: number };
  readonly connections: number;
  /** Open streams of events. */
  readonly streams: number;
  /** What was told in the log, or left out there. */
  readonly failures: number;
  /** Bytes of memory that the script has. */
  readonly memoryBytes: number;
  /** Different after each boot of the machine. */
  readonly boot: string;
  /** s since 1970 at which the process started. */
  readonly startTime: number;
}

type Labels = { readonly [name: string]: string };

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function line(name: string, [labels, value]: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}\n`;
}

/** All samples of one name, as many at once as are given at once; nothing without samples. */
function* family(
  name: string,
  type: "gauge" | "counter",
  help: string,
  samples: Iterable<readonly Sample[]>,
): Generator<string> {
  let head = `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
  for (const some of samples) {
    const lines = some.map((sample) => line(name, sample)).join("");
    yield lines === "" ? "" : head + lines;
    if (lines !== "") head = "";
  }
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

function valueSamples({ noun, name, key, value }: Measured): Sample[] {
  const isNumber = !isNamedChoice(key) && (typeof value === "number" || typeof value === "boolean");
  return isNumber ? [[{ noun, key: name }, Number(value)]] : [];
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

/** A noun with the keys of its state; no keys if it could not be read. */
type ReadNoun = MeasuredNoun & { readonly keys: readonly Measured[] };

/** Adds each noun to `read`, which is empty. */
function* values(nouns: Iterable<MeasuredNoun>, read: ReadNoun[]): Generator<Sample[]> {
  for (const noun of nouns) {
    const { name: of, shape = {}, state = {} } = noun;
    const keys = Object.entries(state).map(([name, value]): Measured => {
      return { noun: of, name, key: Object.hasOwn(shape, name) ? shape[name] : undefined, value };
    });
    read.push({ ...noun, keys });
    yield keys.flatMap(valueSamples);
  }
}

function* ofEach(read: readonly ReadNoun[], samples: (noun: ReadNoun) => Sample[]): Generator<Sample[]> {
  for (const noun of read) yield samples(noun);
}

function* gauge(name: string, help: string, value: number, labels: Labels = {}): Generator<string> {
  yield* family(name, "gauge", help, [[[labels, value]]]);
}

/**
 * @param nouns in the order of their registration. They are gone through once.
 * @param more what the parts of the server measure.
 * @returns the texts of what is measured, of the type `text/plain; version=0.0.4; charset=utf-8`. Strings that no shape
 *   lists are left out.
 */
export function* metrics(
  nouns: Iterable<MeasuredNoun>,
  counts: Counts,
  more: Iterable<Measure> = [],
): Generator<string> {
  const read: ReadNoun[] = [];
  yield* family("nound_noun_value", "gauge", "A number of a noun's state; true is 1.", values(nouns, read));
  const choices = ofEach(read, ({ keys }) => keys.flatMap(choiceSamples));
  yield* family("nound_noun_choice", "gauge", "1 for the value that a key has, 0 for the others.", choices);
  const infos = ofEach(read, ({ keys }) => keys.flatMap(infoSamples));
  yield* family("nound_noun_info", "gauge", "The unit of a key of a noun's state.", infos);
  const up = ofEach(read, ({ name, state }) => [[{ noun: name }, Number(state !== undefined)]]);
  yield* family("nound_noun_up", "gauge", "1 for a noun that could be read.", up);
  const requests = Object.entries(counts.requests).filter(([, count]) => count > 0); // ascending (ECMA-262, 10.1.11.1)
  const byStatus = requests.map(([code, count]): Sample => [{ code }, count]);
  yield* family("nound_requests_total", "counter", "Requests answered, by status code.", [byStatus]);
  yield* gauge("nound_connections", "Open connections.", counts.connections);
  yield* gauge("nound_streams", "Open streams of events.", counts.streams);
  for (const { name, type, help, samples } of more) yield* family(name, type, help, [samples]);
  yield* family("nound_failures_total", "counter", "Failures that the log tells.", [[[{}, counts.failures]]]);
  yield* gauge("nound_memory_bytes", "Memory of nouns, requests and everything they hold.", counts.memoryBytes);
  const [version = "", commit = ""] = counts.version.split("+");
  yield* gauge("nound_build_info", "The version of nound, and its commit.", 1, { version, commit });
  const { model = "", kernel, boot } = counts;
  const about = "The model of the device, the release of its Linux, and its boot.";
  yield* gauge("nound_device_info", about, 1, { model, kernel, boot });
  yield* gauge("process_start_time_seconds", "Start of the process since 1970 in seconds.", counts.startTime);
}
