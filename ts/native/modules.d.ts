/** The C modules as the engine names them. Their types are in this folder, one file a module. */

declare module "nound:net" {
  const net: import("./net.ts").Net;
  export = net;
}

declare module "nound:connector" {
  type Connector = import("./connector.ts").Connector;
  export const start: Connector["start"];
  export const check: Connector["check"];
  export const end: Connector["end"];
  export const connect: Connector["connect"];
}

declare module "nound:acceptor" {
  type Acceptor = import("./acceptor.ts").Acceptor;
  export const start: Acceptor["start"];
  export const inspect: Acceptor["inspect"];
  export const listen: Acceptor["listen"];
  export const close: Acceptor["close"];
  export const ask: Acceptor["ask"];
  export const confirm: Acceptor["confirm"];
}

declare module "nound:loop" {
  const loop: import("./loop.ts").Loop;
  export = loop;
}

declare module "nound:guard" {
  const guard: import("./guard.ts").Guard;
  export = guard;
}

declare module "nound:memory" {
  const memory: import("./memory.ts").Memory;
  export = memory;
}

declare module "nound:hash" {
  const hash: import("./hash.ts").Hash;
  export = hash;
}

declare module "nound:page" {
  const page: import("./page.ts").Page;
  export = page;
}

declare module "nound:utf8" {
  const utf8: import("./utf8.ts").Utf8;
  export = utf8;
}

declare module "nound:lexer" {
  const lexer: import("./lexer.ts").Lexer;
  export = lexer;
}

declare module "nound:system" {
  const system: import("./system.ts").System;
  export = system;
}

declare module "nound:gpio" {
  const gpio: import("./gpio.ts").Gpio;
  export = gpio;
}

declare module "nound:sysfs" {
  const sysfs: import("./sysfs.ts").Sysfs;
  export = sysfs;
}

declare module "nound:storage" {
  const storage: import("./storage.ts").Storage;
  export = storage;
}

declare module "nound:serial" {
  const serial: import("./serial.ts").Serial;
  export = serial;
}

declare module "nound:files" {
  const files: import("./files.ts").Files;
  export = files;
}

declare module "nound:bus" {
  const bus: import("./bus.ts").Bus;
  export = bus;
}

declare module "nound:script" {
  export const collect: import("./script.ts").Script["collect"];
  export const run: import("./script.ts").Script["run"];
}

declare module "nound:privileges" {
  const privileges: import("./privileges.ts").Privileges;
  export = privileges;
}

declare module "nound:keeper" {
  const keeper: import("./keeper.ts").Keeper;
  export = keeper;
}

declare module "nound:input" {
  const input: import("./input.ts").Input;
  export = input;
}
