/** The C modules as the engine names them. Their types are in this folder, one file a module. */

declare module "nound:net" {
  type Net = import("./net.ts").Net;
  export const listen: Net["listen"];
  export const broadcast: Net["broadcast"];
  export const mostRead: Net["mostRead"];
}

declare module "nound:loop" {
  type Loop = import("./loop.ts").Loop;
  export const now: Loop["now"];
  export const turnTime: Loop["turnTime"];
  export const setTimer: Loop["setTimer"];
  export const clearTimer: Loop["clearTimer"];
  export const onSignal: Loop["onSignal"];
  export const onUnhandledRejection: Loop["onUnhandledRejection"];
  export const onUncaughtError: Loop["onUncaughtError"];
  export const exit: Loop["exit"];
}

declare module "nound:guard" {
  type Guard = import("./guard.ts").Guard;
  export const limitCalls: Guard["limitCalls"];
  export const call: Guard["call"];
  export const exempt: Guard["exempt"];
  export const isInterruption: Guard["isInterruption"];
}

declare module "nound:memory" {
  type Memory = import("./memory.ts").Memory;
  export const limitMemory: Memory["limitMemory"];
  export const isScarce: Memory["isScarce"];
  export const usedBytes: Memory["usedBytes"];
}

declare module "nound:hash" {
  export const sha256: import("./hash.ts").Hash["sha256"];
}

declare module "nound:page" {
  type Page = import("./page.ts").Page;
  export const bytes: Page["bytes"];
  export const tag: Page["tag"];
  export const policy: Page["policy"];
}

declare module "nound:utf8" {
  type Utf8 = import("./utf8.ts").Utf8;
  export const decode: Utf8["decode"];
  export const byteLength: Utf8["byteLength"];
}

declare module "nound:lexer" {
  export const tokens: import("./lexer.ts").Lexer["tokens"];
  export const follow: import("./lexer.ts").Lexer["follow"];
  export const rewrite: import("./lexer.ts").Lexer["rewrite"];
}

declare module "nound:system" {
  type System = import("./system.ts").System;
  export const version: System["version"];
  export const build: System["build"];
  export const args: System["args"];
  export const environment: System["environment"];
  export const readTextFile: System["readTextFile"];
  export const randomHex: System["randomHex"];
  export const hostName: System["hostName"];
  export const printOutput: System["printOutput"];
  export const printError: System["printError"];
  export const log: System["log"];
}

declare module "nound:gpio" {
  type Gpio = import("./gpio.ts").Gpio;
  export const backends: Gpio["backends"];
  export const openLine: Gpio["openLine"];
}

declare module "nound:sysfs" {
  export const openDevice: import("./sysfs.ts").Sysfs["openDevice"];
}

declare module "nound:storage" {
  export const openStore: import("./storage.ts").Storage["openStore"];
}

declare module "nound:serial" {
  export const openPort: import("./serial.ts").Serial["openPort"];
}

declare module "nound:files" {
  type Files = import("./files.ts").Files;
  export const readText: Files["readText"];
  export const readTexts: Files["readTexts"];
  export const listFolder: Files["listFolder"];
  export const writeText: Files["writeText"];
}

declare module "nound:bus" {
  type Bus = import("./bus.ts").Bus;
  export const openI2c: Bus["openI2c"];
  export const openSpi: Bus["openSpi"];
}

declare module "nound:script" {
  export const run: import("./script.ts").Script["run"];
}

declare module "nound:privileges" {
  type Privileges = import("./privileges.ts").Privileges;
  export const chooseAccount: Privileges["chooseAccount"];
  export const findAccount: Privileges["findAccount"];
  export const restrict: Privileges["restrict"];
  export const isRestricted: Privileges["isRestricted"];
  export const restrictions: Privileges["restrictions"];
}
