/**
 * The sentences about what the C layer could not do. C gives facts (native/text/failure.h): the name of the failure,
 * the kernel's error with its own text, and values.
 */
import * as system from "nound:system";

const listing = "/sys/kernel/debug/gpio";

/** @returns the holder of a line of sysfs, by the kernel's listing, which only root may read as a rule; or "". */
export function holderOf(number: string): string {
  try {
    // gpio-507 (NAME                |CONSUMER            ) out hi
    const line = new RegExp(`\\bgpio-${number} [^|\\n]*\\|([^)\\n]*?) *\\)`);
    return line.exec(system.readTextFile(listing, 1 << 20))?.[1] ?? "";
  } catch {
    return "";
  }
}

/** Why something fails, by the kernel's error; `else` for all others. */
type Reasons = Readonly<Record<string, string>>;

/** Reasons that several errors share. @param reasons by errors with a space between. */
function reasons(shared: Reasons): Reasons {
  const each = Object.entries(shared).flatMap(([errors, reason]) => errors.split(" ").map((error) => [error, reason]));
  return Object.fromEntries(each);
}

const files = {
  open: reasons({
    "ENOENT ENOTDIR": "there is no such file",
    "EACCES EPERM": "this user has no permission, or the program's restrictions do not allow it",
    "ELOOP ENAMETOOLONG": "its path is too long",
    "ENXIO EISDIR": "it is not a regular file",
  }),
  use: reasons({
    EISDIR: "it is not a regular file",
    EFBIG: "it is too large",
    EILSEQ: "it is not UTF-8",
    E2BIG: "it has too many entries",
    "EINVAL ERANGE": "the kernel refuses this value",
    "EAGAIN ENODATA": "there is no value now",
    EBUSY: "the device is in use by another program or by the kernel",
    ENODEV: "the device is gone",
    "EIO ENXIO EREMOTEIO ETIMEDOUT": "the device does not answer",
  }),
  attribute: reasons({
    ENOENT: "there is no such attribute",
    "EACCES EPERM": "it is read-only, or not this user's: a udev rule can give it to a group of the user",
    "EINVAL ERANGE": "the kernel refuses this value",
    EBUSY: "the device is in use by another program or by the kernel",
    ENODEV: "the device is gone",
    EILSEQ: "its value is no text",
  }),
  store: reasons({
    ENOENT: "the folder around it does not exist",
    ENOTDIR: "it is not a folder",
    "EACCES EPERM": "this user may not write there",
    EROFS: "its file system is read-only",
    "ENOSPC EDQUOT": "there is no space left",
  }),
};

const listening = reasons({
  EADDRINUSE: "the address is in use by another program",
  EADDRNOTAVAIL: "this device does not have that address",
  "EACCES EPERM":
    "this user may not do that; a port below 1024 needs the capability CAP_NET_BIND_SERVICE, a path needs a folder " +
    "that the user may write to",
  EAFNOSUPPORT: "this kernel does not support that kind of address",
  "ENOENT ENOTDIR": "there is no such folder to make the socket in",
  EROFS: "the folder is on a file system that is read-only",
  "EMFILE ENFILE": "too many files are open",
});

const i2c = reasons({
  "ENXIO EREMOTEIO EIO": "no device answers there",
  ETIMEDOUT: "the bus is blocked; a line may be short-circuited or without a pull-up",
  EAGAIN: "another master has the bus",
  EOPNOTSUPP: "the bus cannot do such a transfer",
});

const serial = reasons({
  "ENOENT ENXIO ENODEV": "there is no such device",
  "EACCES EPERM": "this user may not use it; on most systems the group dialout may",
  "EBUSY EAGAIN": "another program has it",
  ENOTTY: "it is not a serial device",
  EIO: "there is no hardware behind it",
  EINVAL: "it does not have these settings",
});

const denied = (error: string): boolean => error === "EACCES" || error === "EPERM";
const mayNotOpen = (path: string, group: string): string =>
  `this user may not open ${path}: add the user to the group that may (often "${group}"), add a udev rule, or run as ` +
  "root";
const noInterrupt = ["ENXIO", "ENODEV"];
const otherFunction = "its pin may have another function now (`dmesg` may say which)";

function foreign(kind: string, at: string, name: string, owner: string, home: string): string {
  const who = "who is neither root nor the user of nound";
  const start = `; start nound as ${owner}, without root, or with --user ${owner}, or`;
  if (kind === "link") {
    return `the symbolic link ${name} in ${at} on its path belongs to the user ${owner}, ${who}; remove that link`;
  }
  if (kind === "file") return `it belongs to the user ${owner}, ${who}${start.replace(/, or$/, ",")} or chown it`;
  // A home stays its owner's.
  const isHome = at.startsWith("/home/") || (home.length > 1 && `${at}/`.startsWith(`${home}/`));
  const remedy = isHome ? "move the file to a folder of root, such as /etc" : "chown that folder";
  return `the folder ${at} belongs to the user ${owner}, ${who}${start} ${remedy}`;
}

function writable(kind: string, at: string, group: string): string {
  if (kind === "file") {
    return group === "" ? "everyone may write to it; chmod o-w it" : `the group ${group} may write to it; chmod g-w it`;
  }
  return group === ""
    ? `everyone may create files in ${at}; chmod o-w that folder`
    : `the group ${group} may create files in ${at}; chmod g-w that folder`;
}

function bus(error: string, text: string, driver: string, group: string, names: string): string {
  if (["ENOENT", "ENXIO", "ENODEV"].includes(error)) {
    const available = names === "" ? "this device has none" : `available: /dev/${names.replaceAll(", ", ", /dev/")}`;
    return `there is no such bus; the kernel's module ${driver} may not be loaded; ${available}`;
  }
  if (denied(error)) {
    if (group === "") return "only root may; a udev rule can give it to a group";
    return `this user may not; the group ${group} may: add the user to it`;
  }
  return error === "ENOTTY" || error === "EINVAL" ? `it is not a device of ${driver}` : text;
}

function attribute(error: string, text: string, name: string, line: string, folder: string, number: string): string {
  if (error === "EBUSY") {
    const holder = holderOf(number);
    const who = holder === "" ? `another program or by the kernel; root finds the user in ${listing}` : `"${holder}"`;
    return `the GPIO line ${line} is in use by ${who}`;
  }
  if (name === "edge" && ["ENOENT", "EIO", "ENXIO", "EINVAL"].includes(error)) {
    return `the GPIO line ${line} cannot report edges: it has no interrupt`;
  }
  if (name === "direction" && error === "ENOENT") {
    return `the direction of the GPIO line ${line} cannot be set: it is fixed`;
  }
  if (error === "EACCES") {
    const path = ["/sys/class/gpio", folder, name].filter(Boolean).join("/");
    return `this user may not write ${path}: add a udev rule that gives it to a group of the user, or run as root`;
  }
  return `the kernel refuses ${name} of the GPIO line ${line}: ${error === "EINVAL" ? otherFunction : text}`;
}

const settings: Reasons = {
  bias: "a bias",
  drive: "an open drain or source",
  debounce: "a debounce period",
  edges: "edges of an output",
  mode: "mode",
  modeOrOrder: "mode, or cannot send the lowest bit first",
  bits: "number of bits per word",
  speed: "speed",
};

/** Makes a sentence of the values. @param error "" if no sentence knows it. @param text the kernel's own. */
type Sentence = (values: readonly string[], error: string, text: string) => string;

/** @returns the command by which root lets the service read a file. */
const grant = (path = ""): string =>
  `; as root, this lets the service read it: chgrp nound ${path} && chmod 640 ${path}`;

const sentences: Readonly<Record<string, Sentence>> = {
  foreign: ([kind = "", at = "", name = "", owner = "", home = "", act], _, __) =>
    `cannot ${act}: ${foreign(kind, at, name, owner, home)}`,
  writable: ([kind = "", at = "", group = "", act]) => `cannot ${act}: ${writable(kind, at, group)}`,
  open: ([act, path], error, text) =>
    `cannot ${act} ${path}: ${files.open[error] ?? text}${act === "read" && denied(error) ? grant(path) : ""}`,
  use: ([act, path], error, text) => `cannot ${act} ${path}: ${files.use[error] ?? text}`,
  outside: ([act, path, within]) => `cannot ${act} ${path}: its path does not lead into ${within}`,
  link: ([act, path, within]) => `cannot ${act} ${path}: a symbolic link leads out of ${within}`,
  openStore: ([path], error, text) => `cannot store states in ${path}: ${files.store[error] ?? text}`,
  writeStore: ([path, limit], error, text) =>
    `cannot write ${path}: ${error === "EFBIG" ? `it is over ${limit} bytes` : (files.store[error] ?? text)}`,
  attribute: ([act], error, text) => `cannot ${act}: ${files.attribute[error] ?? text}`,
  folder: ([path], error, text) => `cannot open ${path}: ${error === "ENOENT" ? "there is no such folder" : text}`,
  device: ([kind, device, folder, hasClass, names], error, text) => {
    if (error !== "ENOENT") return `cannot open the ${kind} "${device}": ${text}`;
    const missing = `there is no ${kind} "${device}"`;
    if (hasClass === "") {
      return `${missing}: this system has no ${folder}, because its kernel has loaded no driver for one`;
    }
    return `${missing} in ${folder}; ${names === "" ? "the system has none" : `available: ${names}`}`;
  },
  thread: (_, __, text) =>
    `cannot start a thread for slow files and devices: ${text}; after restrict() a thread can start only if reach ` +
    "has a path, or if one ran before",
  busy: ([most]) => `${most} operations of hardware and files are running; try again when one has ended`,

  user: ([user]) => `there is no user "${user}" in /etc/passwd`,
  userGroup: ([user]) => `the user ${user} is not in /etc/passwd: give its group too`,
  userGroups: ([user, most]) => `the user ${user} has more than ${most} groups`,
  userOther: ([user]) => `cannot become the user ${user}: only root can become another user`,
  userRoot: ([user]) => `the user ${user} is root: give a user with fewer rights, or no user`,
  group: ([group]) => `there is no group "${group}" in /etc/group`,

  leave: ([most], error, text) =>
    error === "E2BIG" ? `the states take more than ${most} MiB` : `the states cannot be written: ${text}`,

  listen: ([address], error, text) => `cannot listen on ${address}: ${listening[error] ?? text}`,
  listenFile: ([address]) => `cannot listen on ${address}: a file that is not a socket has that path`,
  listenForeign: ([address]) => `cannot listen on ${address}: another user's socket has that path`,
  listenReplaced: ([address]) => `cannot listen on ${address}: another file took its place`,
  listenGroup: ([address], error, text) =>
    `cannot listen on ${address}: ${
      error === "EPERM" ? "this user may not give the socket to that group, because the user is not in it" : text
    }`,
  address: ([address]) => `cannot listen on ${address}: expected ADDRESS:PORT, [IPv6]:PORT or unix:PATH`,
  addressGroup: ([address]) => `cannot listen on ${address}: there is no such group in /etc/group`,
  addressPath: ([address]) => `cannot listen on ${address}: the path of a Unix socket has at most 107 bytes`,

  bus: ([path, driver = "", group = "", names = ""], error, text) =>
    `cannot open ${path}: ${bus(error, text, driver, group, names)}`,
  i2c: ([address, path], error, text) => `address ${address} of ${path}: ${i2c[error] ?? text}`,
  i2cAddress: ([address, path], _, text) => `address ${address} of ${path}: ${text}`,
  i2cDriver: ([address, path, driver]) =>
    `address ${address} of ${path} belongs to the kernel's driver ${driver === "" ? "(unknown)" : driver}: read what ` +
    "the driver gives, such as by sensorNoun, or unbind it",
  i2cPlain: ([path]) => `${path} supports only transfers of SMBus, not plain I2C`,
  spi: ([path, size], error, text) =>
    error === "EMSGSIZE"
      ? `${path}: the kernel takes fewer than ${size} bytes at once; its parameter spidev.bufsiz says how many`
      : `${path}: the transfer failed: ${text}`,
  spiSetting: ([path, setting = ""]) => `cannot open ${path}: it does not have this ${settings[setting]}`,
  serial: ([path], error, text) => `cannot open ${path}: ${serial[error] ?? text}`,
  serialReach: ([path]) =>
    `cannot open ${path}: the program's restrictions do not allow it; a device that is plugged in again has a new ` +
    "file, so name its folder in the reach",
  serialRate: ([path, rate]) =>
    `cannot open ${path}: ${rate} is not a rate of serial devices; usual rates are 9600 and 115200`,

  input: ([device, code, names, forbidden = "", lacks]) => {
    if (lacks !== "") return `the input device "${device}" has no ${code}`;
    if (forbidden !== "") return mayNotOpen(forbidden, "input");
    const missing = `there is no input device "${device}"`;
    if (names !== "") return `${missing}; available: ${names}`;
    return `${missing}: there is no /dev/input/event0 or the like, which the kernel's module evdev makes`;
  },
  uevents: (_, __, text) => `cannot receive the kernel's hotplug events: ${text}`,

  gpioBackend: ([name, names]) => `the GPIO backend "${name}" is not built into this program; available: ${names}`,
  gpioChip: ([path = ""], error, text) => {
    if (denied(error)) return mayNotOpen(path, "gpio");
    if (error === "ENOENT") return `there is no GPIO chip "${path}"; \`nound --find\` lists the chips`;
    return `cannot open ${path}: ${error === "ENODEV" || error === "ENOTTY" ? "it is not a GPIO chip" : text}`;
  },
  gpioOffset: ([chip, offset, last]) => `the GPIO chip ${chip} has no line ${offset}: its offsets are 0 to ${last}`,
  gpioLine: ([line, consumer], error, text) => {
    if (error === "EBUSY") {
      const who = consumer === "" ? "another program or by the kernel" : `"${consumer}"`;
      return `the GPIO line ${line} is in use by ${who}`;
    }
    if (noInterrupt.includes(error)) return `the GPIO line ${line} cannot report edges: it has no interrupt`;
    if (error !== "EINVAL") return `the kernel refuses the GPIO line ${line}: ${text}`;
    return (
      `the kernel refuses these settings for the GPIO line ${line}, or its pin has another function now (\`dmesg\` ` +
      "may say which)"
    );
  },
  gpioEdges: (_, __, text) => `cannot watch the GPIO line for edges: ${text}`,
  gpioNoEdges: ([line], error, text) => {
    const isIncapable = [...noInterrupt, "ENOENT", "EIO", "EINVAL"].includes(error);
    const why = error === "EPERM" ? "it is not an input" : isIncapable ? "it has no interrupt" : text;
    return `the GPIO line ${line} cannot report edges: ${why}`;
  },
  gpioRead: ([line], _, text) => `cannot read the GPIO line ${line}: ${text}`,
  gpioSet: ([line], error, text) =>
    `cannot set the GPIO line ${line}: ${error === "EPERM" ? "it is not an output" : text}`,
  gpioClass: () => "this kernel has no sysfs interface of GPIO: there is no /sys/class/gpio",
  gpioSetting: ([setting = ""]) =>
    `the kernel's sysfs interface of GPIO does not have ${settings[setting]}; a kernel from 5.10 on has it`,
  gpioName: ([name]) =>
    `the kernel's sysfs interface cannot look up the GPIO line name "${name}"; give chip and offset`,
  gpioExported: ([line]) =>
    `the kernel exports the GPIO line ${line} by its driver's own name; export the line and give that name`,
  gpioFolder: ([folder], _, text) => `cannot open /sys/class/gpio/${folder}: ${text}`,
  gpioHeld: ([line]) => `the GPIO line ${line} is in use by another noun or another nound`,
  gpioAttribute: ([name = "", line = "", folder = "", number = ""], error, text) =>
    attribute(error, text, name, line, folder, number),
};

/** @returns the sentence about a failure; its facts if no sentence knows it. */
export function explain(what: string, error: string, text: string, values: readonly string[]): string {
  return sentences[what]?.(values, error, text) ?? `${what} ${values.join(", ")}: ${text}`;
}
