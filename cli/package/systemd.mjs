/**
 * The files by which systemd runs an application: a unit, its user, the permissions of devices, and the options that a
 * person may set.
 */

import { edited, packagingFile, renamed, variableName } from "./template.mjs";

/** The unit. A person sets options in /etc/default/NAME, and the program checks itself by them. */
export function systemdUnit(name) {
  const variable = `$${variableName(name)}_ARGS`;
  const unit = edited(packagingFile("systemd/nound.service"), [
    [/^Description=.*$/m, `Description=${name}, a REST server for what this device has`],
    // Avahi announces only servers with a configuration of nound.
    [/^# .*\bAvahi\b.*\n/m, ""],
    [/^Exec\w+=\S*\/announce\.sh.*\n/gm, ""],
    ["--config /etc/nound/nound.json", variable],
    [/^ExecStart=/m, `EnvironmentFile=-/etc/default/${name}\nExecStart=`],
    ["where the configuration is wrong", "where the options are wrong"],
    ["Where the configuration is wrong, it fails", "Where an option is wrong, it fails"],
    ["ExecReload=", `ExecReload=/usr/bin/nound --check ${variable}\nExecReload=`],
    ["A wrong command line or configuration stays wrong", "A wrong command line stays wrong"],
  ]);
  return renamed(unit, name);
}

/** @returns the text of /etc/default/NAME. @param {string} variable the name of the options there. */
export function defaultsFile(name, variable) {
  return `# Options of ${name}, such as --listen 0.0.0.0:8080; ${name} --help lists them.
# Restart the service ${name} after a change.
${variable}=""
`;
}

/** @returns {Record<string, string>} texts by their paths on the device. */
export function systemdFiles(name) {
  return {
    [`usr/lib/systemd/system/${name}.service`]: systemdUnit(name),
    [`usr/lib/sysusers.d/${name}.conf`]: edited(renamed(packagingFile("systemd/nound.sysusers"), name), [
      [/".*"/, `"${name}"`],
    ]),
    [`usr/lib/udev/rules.d/60-${name}.rules`]: renamed(packagingFile("systemd/60-nound.rules"), name),
    [`etc/default/${name}`]: defaultsFile(name, `${variableName(name)}_ARGS`),
  };
}
