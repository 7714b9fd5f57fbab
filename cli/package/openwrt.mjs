/**
 * A package for an OpenWrt feed: the finished binary, an init script for procd, its UCI configuration, and its
 * capability.
 */

import { packagingFile, renamed } from "./template.mjs";

/** The init script. What it shares with nound's is packaging/openwrt/nound/files/service.sh. */
const init = `#!/bin/sh /etc/rc.common
# shellcheck shell=dash

# shellcheck disable=SC2034 # rc.common reads these
START=90
# shellcheck disable=SC2034
STOP=10
# shellcheck disable=SC2034
USE_PROCD=1

PROG=/usr/sbin/nound
RUN=/var/run/nound
# shellcheck disable=SC2034 # service.sh reads it
CANDIDATE="$RUN/options"
STATE=/etc/nound
# shellcheck disable=SC2034 # service.sh reads it
SAYS_WHERE="$PROG"

# shellcheck source=/dev/null
. "$IPKG_INSTROOT/usr/share/nound/service.sh"

# validate: fails, with sentences on standard error, when an option is not what it must be.
validate() {
	uci_load_validate nound nound "$NOUND_MAIN" '' \\
		'enabled:bool:1' 'interface:list(uciname)' 'family:or("ipv4", "ipv6", "any"):ipv4' 'port:port:8080' \\
		'listen:list(string)' 'mdns:bool:0' 'option:list(string)' 'led:list(string)' 'pwm:list(string)' \\
		'jailMount:list(string)' 'jailMountWritable:list(string)' 2> "$RUN/validation" && return
	sed -n 's#^nound\\.\\(.*\\) validates as \\(.*\\) with false$#nound: /etc/config/nound: \\1 is not a valid \\2#p' \\
		"$RUN/validation" >&2
	return 1
}

# check_configuration: what \`accept\` asks.
check_configuration() {
	local address addresses enabled options
	config_load nound
	NOUND_MAIN=main
	validate || return 1
	config_get_bool enabled "$NOUND_MAIN" enabled 1
	[ "$enabled" = 1 ] || return 0
	config_get options "$NOUND_MAIN" option
	config_get addresses "$NOUND_MAIN" listen
	for address in $addresses; do
		options="\${options:+$options }--listen $address"
	done
	# shellcheck disable=SC2086 # words
	"$PROG" --check $options > /dev/null
}

# OpenWrt has no udev, so it is here that hardware is given to the user: LEDs and PWM channels as UCI names them.
grant_hardware() {
	local led pwm leds channels chip
	config_get leds "$NOUND_MAIN" led
	for led in $leds; do
		grant "/sys/class/leds/$led/brightness" "/sys/class/leds/$led/trigger"
	done
	config_get channels "$NOUND_MAIN" pwm
	for pwm in $channels; do
		chip="/sys/class/pwm/\${pwm%/*}"
		[ -e "$chip/pwm\${pwm#*/}" ] || echo "\${pwm#*/}" > "$chip/export"
		grant "$chip/pwm\${pwm#*/}/period" "$chip/pwm\${pwm#*/}/duty_cycle" "$chip/pwm\${pwm#*/}/enable"
	done
	grant /dev/gpiochip*
}

# list_jail: leaves in READ and WRITE what the jail has: the hardware, the folder of the program, and what UCI lists.
list_jail() {
	local path
	READ=
	# shellcheck disable=SC2034 # service.sh reads it
	HELD=
	WRITE="/sys $STATE" # the kernel lets this user write where grant_hardware says
	for path in /dev/gpiochip*; do
		[ ! -e "$path" ] || WRITE="$WRITE $path"
	done
	add_jail_mounts
}

# Has umdns announce the port and the Thing Description.
announce() {
	procd_open_data
	json_add_object mdns
	procd_add_mdns_service http tcp "$PORT" daemon=nound
	procd_add_mdns_service wot tcp "$PORT" td=/.well-known/wot type=Thing scheme=http
	json_close_object
	procd_close_data
}

start_service() {
	local mdns options
	# Where a configuration is refused, the one that was accepted last remains in force.
	accept check_configuration || STATUS=1
	load_accepted || return 1
	is_enabled || return 0
	find_addresses
	[ -n "$STATUS" ] || tell_of_missing_jail
	grant_hardware
	mkdir -p "$STATE" && chown nound:nound "$STATE" && chmod 700 "$STATE"
	list_jail
	take_configuration

	config_get options "$NOUND_MAIN" option
	# shellcheck disable=SC2086 # words
	open_instance $options
	config_get_bool mdns "$NOUND_MAIN" mdns 0
	[ "$mdns" = 0 ] || [ -z "$PORT" ] || announce
	procd_close_instance
}
`;

const configuration = `# How this device serves nound. /etc/init.d/nound reload applies a change; a
# mistake is told in the system log (logread -e nound), and nound goes on as it was.

config nound 'main'
	option enabled '1'
	# Without an interface and an address the program itself says where it
	# listens. Everyone who reaches it may change every state, unless it requires tokens.
	#list interface 'lan'
	option port '8080'
	# ipv4, ipv6 or any: which of the interface's addresses
	option family 'ipv4'
	#list listen '127.0.0.1:8080'
	# Announces nound to other devices in the network
	option mdns '1'
	# More options: nound --help lists them
	#list option '--debug'
	# LEDs and PWM channels that the program moves
	#list led 'green:status'
	#list pwm 'pwmchip0/0'
	# More files for the jail
	#list jailMountWritable '/dev/i2c-1'
`;

/** The Makefile of the package. The binary is finished, and runs on any OpenWrt of its architecture. */
function makefile({ name, version }) {
  return `#
# Made by \`nound package --for openwrt\`.
#

include $(TOPDIR)/rules.mk

PKG_NAME:=${name}
PKG_VERSION:=${version}
PKG_RELEASE:=1

include $(INCLUDE_DIR)/package.mk

# The binary is static and stripped.
RSTRIP:=:

define Package/${name}
  SECTION:=net
  CATEGORY:=Network
  SUBMENU:=Web Servers/Proxies
  TITLE:=${name}, a REST server for what this device has
  DEPENDS:=+jsonfilter
  USERID:=${name}:${name}
endef

define Package/${name}/conffiles
/etc/config/${name}
/etc/${name}/
endef

define Build/Compile
endef

define Package/${name}/install
	$(INSTALL_DIR) $(1)/usr/sbin $(1)/etc/config $(1)/etc/init.d $(1)/etc/capabilities
	$(INSTALL_DIR) $(1)/etc/${name} $(1)/usr/share/${name}
	$(INSTALL_BIN) ./files/usr/sbin/${name} $(1)/usr/sbin/${name}
	$(INSTALL_CONF) ./files/etc/config/${name} $(1)/etc/config/${name}
	$(INSTALL_BIN) ./files/etc/init.d/${name} $(1)/etc/init.d/${name}
	$(INSTALL_DATA) ./files/usr/share/${name}/service.sh $(1)/usr/share/${name}/service.sh
	$(INSTALL_DATA) ./files/etc/capabilities/${name}.json $(1)/etc/capabilities/${name}.json
endef

$(eval $(call BuildPackage,${name}))
`;
}

/**
 * @param {{ name: string, version: string }} project @returns {Record<string, string>} texts by their paths in the
 * package.
 */
export function openwrtFiles(project) {
  const { name } = project;
  return {
    Makefile: makefile(project),
    [`files/etc/init.d/${name}`]: renamed(init, name),
    [`files/usr/share/${name}/service.sh`]: renamed(packagingFile("openwrt/nound/files/service.sh"), name),
    [`files/etc/config/${name}`]: renamed(configuration, name),
    [`files/etc/capabilities/${name}.json`]: packagingFile("openwrt/nound/files/nound.capabilities"),
  };
}
