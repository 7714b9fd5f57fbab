/**
 * The sentences for an application that uses a module or a global name of Node or of a browser, which a device does not
 * have. The bundler refuses them with these sentences, and so do the types, in the editor: the declarations are made
 * from this table.
 */
import { builtinModules } from "node:module";

const nothing = 'nothing of "nound" takes its place; use the language itself, or a package that needs no Node';

/** By module, without `node:`, what there is instead. */
const insteadOfModules = {
  child_process: "a device runs no other programs for its nouns",
  cluster: "there is one thread, and one loop",
  console: "console is there without an import",
  crypto: nothing,
  dgram: 'Server of "nound" serves; fetch of "nound" asks other servers, by HTTP',
  dns: "the system resolves the names of servers, where the nouns do not run",
  events: "the watch of a noun tells of its changes; what else is to be told needs a function",
  fs: 'readText and listFolder of "nound" read files of the kernel, openStore keeps texts',
  "fs/promises": 'readText and listFolder of "nound" read files of the kernel, openStore keeps texts',
  http: 'Server of "nound" serves; fetch of "nound" asks other servers',
  https: 'a proxy on the device speaks TLS; fetch of "nound" asks other servers, by HTTP',
  buffer: "Uint8Array holds bytes; TextEncoder and TextDecoder are there without an import",
  net: 'Server of "nound" serves, openSerial of "nound" speaks to a serial device',
  os: 'systemNoun of "nound" tells of the device',
  path: "paths of a device are plain strings with slashes",
  process: 'args, environment and onSignal of "nound" are there for the program',
  timers: "setTimeout and setInterval are there without an import",
  "timers/promises": 'sleep of "nound" waits',
  tls: "a proxy in front of nound speaks TLS",
  util: "TextEncoder and TextDecoder are there without an import",
  worker_threads: "there is one thread, and one loop",
};

/** By global name of Node or of a browser, what there is instead. */
export const insteadOfGlobals = {
  Buffer: insteadOfModules.buffer,
  URL: "a noun has no use of addresses; take them apart with a regular expression",
  URLSearchParams: "a request of nound has no query",
  WebSocket: 'clients watch a noun by server-sent events; its watch in "nound" tells of changes',
  XMLHttpRequest: 'fetch of "nound" asks other servers',
  __dirname: "a device has no folder of sources",
  __filename: "a device has no file of sources",
  clearImmediate: "clearTimeout is there",
  document: "a device has no page; the browser's page is nound's own",
  fetch: 'import fetch of "nound", which asks the servers that the program names',
  global: "globalThis is there",
  module: "an application is an ES module: use export",
  process: insteadOfModules.process,
  require: "an application is an ES module: use import",
  setImmediate: "setTimeout with 0 ms is there, and queueMicrotask",
  window: "globalThis is there",
};

/** Modules of Node, without `node:` and without those that are its own business. */
export const nodeModules = builtinModules.filter(
  (name) => !/^_|^(node:|wasi|inspector|sys|test|sea|sqlite)/.test(name),
);

/** @returns the sentence for an application that imports a module of Node. @param name with or without `node:`. */
export function nodeModuleSentence(name) {
  const instead = insteadOfModules[name.replace(/^node:/, "")] ?? nothing;
  return `A device has none of Node's modules: instead of "${name}", ${instead}.`;
}

/** @returns the sentence for an application that uses a global name. */
export function globalSentence(name) {
  return `A device does not have ${name}: ${insteadOfGlobals[name]}.`;
}
