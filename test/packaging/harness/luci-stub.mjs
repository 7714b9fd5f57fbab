/**
 * What LuCI offers to a view, as far as nound's needs it, for a browser: `form` makes fields, `uci` has the values,
 * `rpc` has the answers of the device. `renderView(text, device)` evaluates a view as LuCI's loader does and shows it.
 */

const translate = (text) => text;

/** LuCI's E(tag, attributes, children). */
function E(tag, attributes = {}, children = []) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  for (const child of Array.isArray(children) ? children : [children]) element.append(child);
  return element;
}

/** How the types of data are checked that the view names, as LuCI's validation.js does. */
const datatypes = {
  and: (text, ...types) => types.every((type) => isOfType(text, type)),
  port: (text) => /^\d+$/.test(text) && Number(text) <= 65_535,
  uinteger: (text) => /^\d+$/.test(text),
  integer: (text) => /^-?\d+$/.test(text),
  float: (text) => /^-?\d+(?:\.\d+)?$/.test(text),
  range: (text, minimum, maximum) => Number(text) >= Number(minimum) && Number(text) <= Number(maximum),
};

/** @returns whether a text is of a type such as `and(uinteger, range(0, 9))`. */
function isOfType(text, type) {
  const [, name, inner = ""] = /^(\w+)(?:\((.*)\))?$/.exec(type);
  const words = inner.split(/, (?![^(]*\))/).filter((word) => word !== "");
  return datatypes[name](text, ...words);
}

/**
 * A field. Its value is that of UCI until it is changed; a field whose dependencies are not met is hidden and has none.
 */
class Value {
  constructor(section, name, title, description) {
    Object.assign(this, { section, name, title, description, choices: [], conditions: [] });
  }

  value(key, title = key) {
    this.choices.push([key, title]);
  }

  depends(name, value) {
    this.conditions.push([name, value]);
  }

  field(stored) {
    return E("input", { value: stored ?? "", placeholder: this.placeholder ?? "" });
  }

  read(field) {
    return field.value;
  }

  render(sectionName, values) {
    this.control = this.field(values[this.name]);
    this.control.setAttribute("aria-label", this.title);
    this.row = E("label", { "data-option": `${sectionName}.${this.name}` }, [this.title, this.control]);
    return this.row;
  }
}

class Flag extends Value {
  field(stored) {
    const field = E("input", { type: "checkbox" });
    field.checked = (stored ?? this.default) === "1";
    return field;
  }

  read(field) {
    return field.checked ? "1" : "0";
  }
}

class ListValue extends Value {
  field(stored) {
    const field = E(
      "select",
      {},
      [...(this.optional ? [["", ""]] : []), ...this.choices].map(([key, title]) => E("option", { value: key }, title)),
    );
    if (stored !== undefined) field.value = stored;
    return field;
  }
}

class DynamicList extends Value {
  field(stored) {
    return E("input", { value: [stored ?? []].flat().join(" ") });
  }

  read(field) {
    return field.value.split(" ").filter((item) => item !== "");
  }
}

class Section {
  constructor(map, type, title, description) {
    Object.assign(this, { map, type, title, description, options: [] });
  }

  option(Type, name, title, description) {
    const option = new Type(this, name, title, description);
    this.options.push(option);
    return option;
  }

  /** The fields of one section of UCI, shown and hidden as their dependencies say. */
  renderOne(name, values) {
    const options = this.options.map((option) => Object.assign(Object.create(option), {}));
    const rows = options.map((option) => option.render(name, values));
    const settle = () => {
      const now = Object.fromEntries(options.map((option) => [option.name, option.read(option.control)]));
      for (const option of options) {
        const isMet =
          option.conditions.length === 0 || option.conditions.some(([other, value]) => now[other] === value);
        option.row.hidden = !isMet;
        const isValid =
          !isMet || !option.datatype || now[option.name] === "" || isOfType(now[option.name], option.datatype);
        option.control.setAttribute("aria-invalid", String(!isValid));
        if (isMet && String(now[option.name]) !== "") values[option.name] = now[option.name];
        else delete values[option.name];
      }
    };
    settle();
    const fields = E("fieldset", {}, [E("legend", {}, name), ...rows]);
    fields.addEventListener("input", settle);
    return fields;
  }

  render() {
    const sections = Object.entries(this.map.device.uci[this.map.config]).filter(([, { type }]) => type === this.type);
    const shown = sections.map(([name, { values }]) => this.renderOne(name, values));
    return E("section", { "data-type": this.type }, [
      E("h3", {}, this.title),
      E("p", {}, this.description ?? ""),
      ...shown,
    ]);
  }
}

function formOf(device) {
  class FormMap {
    constructor(config, title, description) {
      Object.assign(this, { config, title, description, sections: [], device });
    }

    section(Type, type, title, description) {
      const section = new Type(this, type, title, description);
      this.sections.push(section);
      return section;
    }

    async render() {
      return E("div", {}, [E("h2", {}, this.title), ...this.sections.map((section) => section.render())]);
    }
  }
  return { Map: FormMap, TypedSection: Section, GridSection: Section, Value, Flag, ListValue, DynamicList };
}

/** Shows the view whose text this is, on a device with these values of UCI and these answers of ubus. */
globalThis.renderView = async (text, keys, device) => {
  const required = [...text.matchAll(/^'require (\S+?)(?: as (\w+))?';$/gm)].map(([, name, as]) => [name, as ?? name]);
  const modules = {
    view: { extend: (members) => members },
    form: formOf(device),
    "tools.widgets": { NetworkSelect: DynamicList },
    "nound.keys": new Function("baseclass", keys)({ extend: (members) => members }),
    fs: {
      read: async (path) => {
        const text = device.files?.[path];
        if (text === undefined) throw new Error(`${path} cannot be read`);
        return text;
      },
    },
    // A test calls what LuCI calls again and again.
    poll: { add: (update) => Object.assign(device, { update }) },
    rpc: {
      declare:
        ({ object, method, expect }) =>
        async () => {
          const [key] = Object.keys(expect);
          return device.ubus[`${object}.${method}`]?.[key] ?? expect[key];
        },
    },
  };
  const names = ["E", "L", "_", ...required.map(([, as]) => as)];
  const L = { resolveDefault: (promise, other) => promise.catch(() => other) };
  const values = [E, L, translate, ...required.map(([name]) => modules[name])];
  const view = new Function(...names, text)(...values);
  document.body.replaceChildren(await view.render(await view.load()));
  globalThis.device = device;
};
