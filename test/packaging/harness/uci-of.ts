/** A configuration in UCI's syntax, by docs/install.md: what /etc/config/nound has. */
import { type Json, resolved, type Schema } from "./configurations.ts";

type JsonObject = { readonly [key: string]: Json };

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const quoted = (value: string) => `'${value.replaceAll("'", "'\\''")}'`;

/** Writes configurations of a schema. @param prefersJson objects and lists become JSON wherever UCI takes it. */
export class UciWriter {
  private readonly whole: Schema;
  private readonly prefersJson: boolean;

  constructor(whole: Schema, prefersJson: boolean) {
    this.whole = whole;
    this.prefersJson = prefersJson;
  }

  /** @returns what `uci export nound` prints, without the address, which is the service's. */
  write({ nouns, ...rest }: JsonObject): string {
    const properties = this.whole.properties ?? {};
    const sections = Object.entries(rest).filter(([, value]) => isObject(value)) as [string, JsonObject][];
    const main = Object.fromEntries(Object.entries(rest).filter(([, value]) => !isObject(value)));
    return [
      "package nound\n",
      "config nound 'main'",
      ...this.options(main, properties),
      ...sections.flatMap(([key, value]) => [
        `\nconfig ${key}`,
        ...this.options(value, properties[key]?.properties ?? {}),
      ]),
      ...Object.entries(nouns as JsonObject).flatMap(([name, noun]) => this.noun(name, noun as JsonObject)),
      "",
    ].join("\n");
  }

  private noun(name: string, noun: JsonObject): string[] {
    const all = this.whole.properties?.["nouns"]?.additionalProperties as Schema;
    const { then: { properties = {} } = {} } =
      all.allOf?.find(({ if: condition }) => condition.properties?.["kind"]?.const === noun["kind"]) ?? {};
    const isMap = (key: string) => Object.keys(this.propertiesOf(this.restOf(properties[key]))).length > 0;
    const records = Object.keys(properties).find(isMap) ?? "";
    const { [records]: keys, ...options } = noun;
    const isUsual = /^\w+$/.test(name);
    const place = this.restOf(properties[records]);
    const asJson = this.prefersJson || keys === undefined || Object.keys(keys as JsonObject).length === 0;
    return [
      isUsual ? `\nconfig noun '${name}'` : `\nconfig noun\n\toption name ${quoted(name)}`,
      ...this.options(asJson ? noun : options, properties),
      ...(asJson ? [] : Object.entries(keys as JsonObject)).flatMap(([key, value]) => [
        "\nconfig key",
        `\toption noun ${quoted(name)}`,
        `\toption name ${quoted(key)}`,
        ...this.options(value as JsonObject, this.propertiesOf(place)),
      ]),
    ];
  }

  /** The schema of the keys of a map. */
  private restOf(node: Schema = {}): Schema {
    const { additionalProperties } = resolved(this.whole, node);
    return typeof additionalProperties === "object" ? resolved(this.whole, additionalProperties) : {};
  }

  private isConditions(place: Schema): boolean {
    return this.restOf(this.restOf(place)).anyOf?.some(({ type }) => type === "object") ?? false;
  }

  /** The keys of an object, of all its variants. */
  private propertiesOf(place: Schema): Readonly<Record<string, Schema>> {
    const { $comment: _, ...properties } = Object.assign(
      {},
      place.properties,
      ...(place.allOf ?? []).map(({ then }) => then.properties),
    );
    return properties;
  }

  private options(values: JsonObject, properties: Readonly<Record<string, Schema>>): string[] {
    return Object.entries(values).flatMap(([key, value]) => this.option(key, value, properties[key] ?? {}));
  }

  private option(key: string, value: Json, node: Schema): string[] {
    const whole = resolved(this.whole, node);
    const single = isObject(value) ? whole.anyOf?.find((form) => this.isConditions(form)) : undefined;
    const place = single ?? whole;
    const json = [`\toption ${key} ${quoted(JSON.stringify(value))}`];
    const list = (items: readonly string[]) => items.map((item) => `\tlist ${key} ${quoted(item)}`);
    if (Array.isArray(value)) {
      // Alternatives are written as JSON.
      if (this.isConditions(this.itemOf(place))) return json;
      const items = value.map((one) => this.scalar(one, this.itemOf(place)));
      return items.length === 0 || /^\[(?:["{[]|\]$)/.test(items[0] ?? "") ? json : list(items);
    }
    if (!isObject(value)) return [`\toption ${key} ${quoted(this.scalar(value, place))}`];
    if (this.prefersJson || Object.keys(value).length === 0) return json;
    const inner = Object.entries(this.propertiesOf(place));
    if (inner.length > 0 && inner.every(([, one]) => resolved(this.whole, one).type === "object"))
      return Object.entries(value).some(([, one]) => Object.keys(one as JsonObject).length === 0)
        ? json
        : inner
            .filter(([name]) => name in value)
            .flatMap(([name, one]) =>
              this.option(key + name[0]?.toUpperCase() + name.slice(1), value[name] ?? {}, one),
            );
    const items =
      place.patternProperties !== undefined
        ? this.actions(value)
        : this.isConditions(place)
          ? this.conditions(value)
          : this.pairs(value, place);
    return items === undefined ? json : list(items);
  }

  private itemOf(place: Schema): Schema {
    return (place.anyOf ?? [place]).find(({ type }) => type === "array")?.items ?? {};
  }

  private pairs(value: JsonObject, place: Schema): string[] | undefined {
    const form = place.anyOf?.find(({ type }) => type === "object") ?? place;
    const items = Object.entries(value).map(([key, one]) => {
      const inner = form.properties?.[key] ?? (form.additionalProperties as Schema);
      if (key === "" || key.includes("=")) return undefined;
      if (Array.isArray(one)) return [`${key}=${JSON.stringify(one)}`];
      if (!isObject(one)) return [`${key}=${this.scalar(one, inner)}`];
      const deeper = key.includes(".") || Object.keys(one).length === 0 ? undefined : this.pairs(one, inner);
      return deeper?.map((item) => `${key}.${item}`);
    });
    return items.includes(undefined) ? undefined : (items.flat() as string[]);
  }

  private conditions(value: JsonObject): string[] | undefined {
    const items = Object.entries(value).flatMap(([noun, keys]) => {
      const inner = Object.entries(keys as JsonObject);
      return inner.length === 0 || /^$| /.test(noun)
        ? [undefined]
        : inner.map(([key, one]) => (/^$| /.test(key) ? undefined : `${noun} ${key} ${this.condition(one)}`));
    });
    return items.includes(undefined) ? undefined : (items as string[]);
  }

  private condition(value: Json): string {
    // A string may begin with a word such as `below`.
    if (!isObject(value)) return typeof value === "string" ? `"${value}"` : this.scalar(value, {});
    const isOdd = (one: Json) => typeof one === "string" && !/^\$[\w.-]+( [*+-] [\d.]+)*$/.test(one);
    if (Object.values(value).some(isOdd)) return JSON.stringify(value);
    const words = Object.entries(value).map(([word, one]) => (one === true ? word : `${word} ${this.scalar(one, {})}`));
    return words.join(" ");
  }

  private actions(value: JsonObject): string[] | undefined {
    const items = Object.entries(value).map(([action, state]) => {
      const words = Object.entries(state as JsonObject).map(([key, one]) => {
        const word = this.scalar(one, {});
        return /^$|[ =]/.test(key) || /^ | $| {2}| \S+=/.test(word) ? undefined : `${key}=${word}`;
      });
      return words.includes(undefined) ? undefined : [action, ...words].join(" ");
    });
    return items.includes(undefined) ? undefined : (items as string[]);
  }

  /** A scalar at a place. Where JSON could be read, a string that looks like JSON gets quotation marks. */
  private scalar(value: Json, node: Schema): string {
    const place = resolved(this.whole, node);
    const types = [place, ...(place.anyOf ?? [])].flatMap((one) =>
      (one.enum ?? (one.const === undefined ? [] : [one.const]))
        .map((value) => typeof value as string)
        .concat(one.type ?? []),
    );
    const isText = types.length > 0 && types.every((type) => type === "string" || type === "array");
    if (typeof value === "boolean" && types.includes("boolean") && !types.includes("number"))
      return value ? "1" : "off";
    if (typeof value !== "string")
      return Number.isInteger(value) && !Number.isSafeInteger(value)
        ? String(value).replace(/^-?\d+$/, "$&.0")
        : JSON.stringify(value);
    const looksLikeJson =
      /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|["[{].*|on|off|yes|no|enabled|disabled)$/s.test(
        value,
      );
    return value === "" || (!isText && looksLikeJson) ? `"${value}"` : value;
  }
}
