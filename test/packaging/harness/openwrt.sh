# shellcheck shell=dash
# SPDX-License-Identifier: MIT
#
# What OpenWrt's rc.common, uci.sh, jshn.sh, procd.sh and network.sh offer to an init script, as far as nound's needs
# it. ROOT is the folder that stands for the device; what procd, the log and chgrp are told is written to $ROOT/calls.

# shellcheck disable=SC2034 # of the init scripts
IPKG_INSTROOT="$ROOT"

call() {
	printf '%s' "$1" >> "$ROOT/calls"
	shift
	[ $# -eq 0 ] || printf '\t%s' "$@" >> "$ROOT/calls"
	echo >> "$ROOT/calls"
}

chgrp() { call chgrp "$@"; }
chmod() { call chmod "$@"; }
chown() { call chown "$@"; }
logger() { call logger "$@"; }

# The daemon's user is the one that runs the test, unless the folder is to be another's.
id() { if [ -e "$ROOT/state/passwd" ]; then echo 65534; else command id -u; fi; }

# UCI: a configuration file happens to be a shell script of `config`, `option` and `list`, which is how uci.sh reads it
# too.

set_value() {
	eval "CONFIG_$1_$2=\"\$3\""
}

config_set() { set_value "$@"; }

reset_cb() {
	config_cb() { :; }
	option_cb() { :; }
	list_cb() { :; }
}
reset_cb

# What an exported file begins with.
package() { :; }

config() {
	sections=$((sections + 1))
	CONFIG_SECTION="${2:-cfg$sections}"
	CONFIG_SECTIONS="$CONFIG_SECTIONS $CONFIG_SECTION"
	set_value "$CONFIG_SECTION" TYPE "$1"
	config_cb "$1" "$CONFIG_SECTION"
}

option() {
	set_value "$CONFIG_SECTION" "$1" "$2"
	option_cb "$1" "$2"
}

list() {
	local length all
	config_get length "$CONFIG_SECTION" "$1_LENGTH" 0
	config_get all "$CONFIG_SECTION" "$1"
	length=$((length + 1))
	set_value "$CONFIG_SECTION" "$1_LENGTH" "$length"
	set_value "$CONFIG_SECTION" "$1_ITEM$length" "$2"
	set_value "$CONFIG_SECTION" "$1" "${all:+$all }$2"
	lists="$lists CONFIG_${CONFIG_SECTION}_$1"
	list_cb "$1" "$2"
}

config_load() {
	local one
	for one in $lists; do
		unset "$one" "${one}_LENGTH"
	done
	lists=
	sections=0
	CONFIG_SECTIONS=
	# shellcheck source=/dev/null
	. "${UCI_CONFIG_DIR:-$ROOT/etc/config}/$1"
	config_cb
}

# As `uci export` prints a word.
quoted() {
	printf "'"
	case "$1" in
		*"'"*) printf %s "$1" | sed "s/'/'\\\\''/g" ;;
		*) printf %s "$1" ;;
	esac
	printf "'"
}

# `uci export PACKAGE` prints each section and option as UCI has understood it.
# shellcheck disable=SC2317 # the file calls the functions
export_package() (
	config() { printf '\nconfig %s%s\n' "$1" "${2:+ $(quoted "$2")}"; }
	option() { printf '\toption %s %s\n' "$1" "$(quoted "$2")"; }
	list() { printf '\tlist %s %s\n' "$1" "$(quoted "$2")"; }
	echo "package $1"
	# shellcheck source=/dev/null
	. "$ROOT/etc/config/$1"
)

# `uci export PACKAGE`, which fails for a file with a mistake in its syntax, and `uci -q get` of the rule of local time.
uci() {
	case "$1" in
		export)
			[ -e "$ROOT/uci-error" ] || {
				export_package "$2"
				return
			}
			cat "$ROOT/uci-error" >&2
			return 1
			;;
		-q) [ "$3" = 'system.@system[0].timezone' ] && [ -e "$ROOT/timezone" ] && cat "$ROOT/timezone" ;;
	esac
}

# Of the types of ubox, those that can be told here by a pattern.
uci_load_validate() {
	local package="$1" section="$3" option type value status=0
	shift 4
	for option in "$@"; do
		type="${option#*:}"
		config_get value "$section" "${option%%:*}"
		[ -n "$value" ] || continue
		case "$type" in
			port:*) case "$value" in *[!0-9]* | ??????*) ;; *) continue ;; esac ;;
			bool:*) case "$value" in 1 | 0 | on | off | true | false) continue ;; esac ;;
			or*) case "$value" in ipv4 | ipv6 | any) continue ;; esac ;;
			file) [ ! -f "$value" ] || continue ;;
			*) continue ;;
		esac
		echo "$package.$section.${option%%:*}=$value validates as $type with false" >&2
		status=1
	done
	return $status
}

config_get() {
	case "$2$3" in
		*[!A-Za-z0-9_]*) ;;
		*) eval "$1=\"\${CONFIG_$2_$3:-\$4}\"" ;;
	esac
}

config_get_bool() {
	local value
	config_get value "$2" "$3" "$4"
	case "$value" in
		1 | on | true | yes | enabled) value=1 ;;
		0 | off | false | no | disabled) value=0 ;;
		*) value="$4" ;;
	esac
	eval "$1=\$value"
}

config_foreach() {
	local call_back="$1" type="$2" section found
	shift 2
	for section in $CONFIG_SECTIONS; do
		config_get found "$section" TYPE
		[ "$found" != "$type" ] || "$call_back" "$section" "$@"
	done
}

config_list_foreach() {
	local section="$1" option="$2" call_back="$3" length number=1 item
	shift 3
	config_get length "$section" "${option}_LENGTH" 0
	while [ "$number" -le "$length" ]; do
		config_get item "$section" "${option}_ITEM$number"
		"$call_back" "$item" "$@"
		number=$((number + 1))
	done
}

# The files of the package that awk reads. UCI_KEYS is the table of keys.
awk() {
	local word
	for word in "$@"; do
		shift
		case "$word" in
			/usr/share/nound/uci-keys.awk) word="$UCI_KEYS" ;;
			/usr/share/nound/*) word="$HARNESS/../../../packaging/openwrt/nound/files/${word##*/}" ;;
		esac
		set -- "$@" "$word"
	done
	# shellcheck disable=SC2086 # words
	command ${AWK:-awk} "$@"
}

# jshn: each call is a line, of which json.awk makes the document.

json_init() { : > "$ROOT/json"; }
json_line() { printf '%s\t%s\t%s\n' "$1" "$2" "$3" >> "$ROOT/json"; }
json_add_object() { json_line object "$1"; }
json_add_array() { json_line array "$1"; }
json_close_object() { json_line close; }
json_close_array() { json_line close; }
json_add_string() { json_line string "$1" "$2"; }
json_add_int() { json_line number "$1" "$2"; }
json_add_double() { json_line number "$1" "$2"; }
json_add_boolean() { json_line boolean "$1" "$2"; }
json_add_null() { json_line null "$1"; }
json_dump() { awk -f "$HARNESS/json.awk" "$ROOT/json"; }
jsonfilter() {
	local word="${4#*\"}"
	word="${word%%\"*}"
	word="${word##*.}"
	[ "$1" = -i ] || {
		echo "$2" # the number that `ubus call service list` finds
		return
	}
	# Node is slow to start: it is spared where the file does not even have the word.
	! grep -qF "\"$word\"" "$2" || node "$HARNESS/jsonfilter.mjs" "$2" "$4"
}

# procd

procd_open_instance() { call procd_open_instance "$@"; }
procd_close_instance() { call procd_close_instance "$@"; }
procd_set_param() { call procd_set_param "$@"; }
procd_append_param() { call procd_append_param "$@"; }
procd_add_jail() { call procd_add_jail "$@"; }
procd_add_jail_mount() { call procd_add_jail_mount "$@"; }
procd_add_jail_mount_rw() { call procd_add_jail_mount_rw "$@"; }
procd_open_data() { call procd_open_data "$@"; }
procd_close_data() { call procd_close_data "$@"; }
procd_add_mdns_service() { call procd_add_mdns_service "$@"; }
procd_add_reload_trigger() { call procd_add_reload_trigger "$@"; }
procd_add_reload_interface_trigger() { call procd_add_reload_interface_trigger "$@"; }
procd_add_raw_trigger() { call procd_add_raw_trigger "$@"; }
initscript=/etc/init.d/nound
start() {
	start_service
	service_started
}
stop() {
	stop_service
	call stop
}
restart() {
	stop
	start
}
# The number of the process that procd has of the service is in $ROOT/instances.
ubus() { [ ! -e "$ROOT/instances" ] || cat "$ROOT/instances"; }

# network.sh: the addresses of an interface are in $ROOT/network/INTERFACE.ipv4 and .ipv6; of one that is down, nowhere.

network_flush_cache() { :; }
network_get_protocol() { [ ! -e "$ROOT/network/$2.unknown" ]; }
network_addresses() {
	unset "$1"
	[ -e "$2" ] && read -r "$1" < "$2"
}
network_get_ipaddrs() { network_addresses "$1" "$ROOT/network/$2.ipv4"; }
network_get_ipaddrs6() { network_addresses "$1" "$ROOT/network/$2.ipv6"; }
