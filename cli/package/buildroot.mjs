/**
 * A tree for Buildroot's BR2_EXTERNAL with the finished binary, a script for BusyBox's init, and files for systemd and
 * udev.
 */

import { defaultsFile, systemdUnit } from "./systemd.mjs";
import { edited, packagingFile, renamed, variableName } from "./template.mjs";

/** The script for BusyBox's init. */
function initScript(name) {
  const script = edited(packagingFile("buildroot/package/nound/S25nound"), [
    [/^CONFIGURATION=.*\n/m, ""],
    ["the configuration, more options, what is given", "options, what is given"],
    [/ --config "\$CONFIGURATION"/g, ""],
    [
      "# The outputs stay as they are, where their configuration does.",
      "# Runs a new binary, and moves no output. The options are read at the start alone.",
    ],
    ["# A configuration with a mistake", "# An option with a mistake"],
  ]);
  return renamed(script, name);
}

function makefile({ name, version }) {
  const variable = variableName(name);
  const rule = "#".repeat(80);
  return `${rule}
#
# ${name}
#
${rule}

${variable}_VERSION = ${version}
${variable}_SITE = $(${variable}_PKGDIR)/files
${variable}_SITE_METHOD = local
${variable}_LICENSE = PROPRIETARY
${variable}_REDISTRIBUTE = NO

define ${variable}_INSTALL_TARGET_CMDS
	$(INSTALL) -D -m 0755 $(@D)/usr/bin/${name} $(TARGET_DIR)/usr/bin/${name}
	$(INSTALL) -D -m 0644 $(@D)/etc/default/${name} $(TARGET_DIR)/etc/default/${name}
endef

ifeq ($(BR2_PACKAGE_HAS_UDEV),y)
define ${variable}_INSTALL_UDEV_RULES
	$(INSTALL) -D -m 0644 $(@D)/60-${name}.rules $(TARGET_DIR)/usr/lib/udev/rules.d/60-${name}.rules
endef
${variable}_POST_INSTALL_TARGET_HOOKS += ${variable}_INSTALL_UDEV_RULES
endif

define ${variable}_INSTALL_INIT_SYSV
	$(INSTALL) -D -m 0755 $(@D)/S25${name} $(TARGET_DIR)/etc/init.d/S25${name}
endef

define ${variable}_INSTALL_INIT_SYSTEMD
	$(INSTALL) -D -m 0644 $(@D)/${name}.service $(TARGET_DIR)/usr/lib/systemd/system/${name}.service
endef

define ${variable}_USERS
	${name} -1 ${name} -1 * - - - ${name}
endef

$(eval $(generic-package))
`;
}

function configIn(name) {
  return `config BR2_PACKAGE_${variableName(name)}
	bool "${name}"
	help
	  ${name}, a REST server for what this device has.
`;
}

/**
 * @param {{ name: string, version: string }} project @returns {Record<string, string>} texts by their paths in the
 * tree.
 */
export function buildrootFiles(project) {
  const { name } = project;
  const variable = variableName(name);
  const folder = `package/${name}`;
  const tree = ["Config.in", "external.mk"].map((file) => [file, renamed(packagingFile(`buildroot/${file}`), name)]);
  return {
    ...Object.fromEntries(tree),
    "external.desc": `name: ${variable}\ndesc: ${name}, a REST server for what this device has\n`,
    [`${folder}/Config.in`]: configIn(name),
    [`${folder}/${name}.mk`]: makefile(project),
    [`${folder}/files/S25${name}`]: initScript(name),
    [`${folder}/files/${name}.service`]: systemdUnit(name),
    [`${folder}/files/60-${name}.rules`]: renamed(packagingFile("systemd/60-nound.rules"), name),
    [`${folder}/files/etc/default/${name}`]: defaultsFile(name, `${variable}_ARGS`),
  };
}
