# shellcheck shell=dash
# SPDX-License-Identifier: MIT
#
# What the init scripts of nound and of applications share. A script that reads this sets RUN, NOUND_MAIN, the section
# of its options, and SAYS_WHERE, which names what says itself where to listen, if anything does; it has a function
# `prepare`, which fails with a sentence in the log.

# Tells the log, and who typed the command.
tell() {
	logger -t nound -p "daemon.$1" "$2"
	echo "$2" >&2
}

# Tells each line of a file.
tell_refusal() {
	local line
	while read -r line; do
		tell err "$line"
	done < "$RUN/refusal"
}

# grant PATH...: lets the daemon's user read and write. What is not there nound misses at its start, by name.
grant() {
	local path
	for path in "$@"; do
		[ -e "$path" ] || continue
		chgrp nound "$path" && chmod g+rw "$path"
	done
}

add_address() {
	case " $LISTEN " in
		*" $1 "*) ;;
		*) LISTEN="${LISTEN:+$LISTEN }$1" ;;
	esac
}

# Leaves in LISTEN the addresses, and in PORT the port by which others reach nound, if they do.
# shellcheck disable=SC2034 # the init scripts read PORT
find_addresses() {
	local listen interfaces interface family port address found
	config_get listen "$NOUND_MAIN" listen
	config_get interfaces "$NOUND_MAIN" interface
	config_get family "$NOUND_MAIN" family ipv4
	config_get port "$NOUND_MAIN" port 8080
	LISTEN=
	PORT=
	for address in $listen; do
		add_address "$address"
	done
	network_flush_cache
	for interface in $interfaces; do
		network_get_protocol found "$interface" ||
			tell warn "nound: this device has no network interface $interface, so nound does not listen on it"
		found=
		[ "$family" = ipv6 ] || network_get_ipaddrs found "$interface"
		for address in $found; do
			add_address "$address:$port"
			PORT="$port"
		done
		found=
		[ "$family" = ipv4 ] || network_get_ipaddrs6 found "$interface"
		for address in $found; do
			add_address "[$address]:$port"
			PORT="$port"
		done
	done
	[ -z "$LISTEN" ] || return 0
	# What is named in SAYS_WHERE says itself where, unless it was left to an interface, which is down.
	if [ -z "$SAYS_WHERE" ] || [ -n "$interfaces" ]; then
		add_address "127.0.0.1:$port"
	fi
}

# What procd cannot do without its jail, it leaves out silently.
tell_of_missing_jail() {
	[ ! -x /sbin/ujail ] || return 0
	tell warn 'nound: procd-ujail is not installed: nound runs outside a jail, and can have no port below 1024'
}

# add_jail_mounts FUNCTION OPTION: more files for the jail, as UCI lists them.
add_jail_mounts() {
	local path paths
	config_get paths "$NOUND_MAIN" "$2"
	for path in $paths; do
		if [ -e "$path" ]; then
			"$1" "$path"
		else
			tell warn "nound: there is no $path for the jail"
		fi
	done
}

has_instance() {
	[ -n "$(jsonfilter -s "$(ubus call service list '{"name":"nound"}')" -e '@.nound.instances')" ]
}

# What `start` ends with.
service_started() {
	return "${STATUS:-0}"
}

# rc.common would end what runs first. A reload is a start: procd ends the daemon only if something has changed.
restart() {
	prepare || exit 1
	stop "$@"
	start "$@"
}

service_triggers() {
	local interfaces interface
	procd_add_reload_trigger nound
	config_get interfaces "$NOUND_MAIN" interface
	for interface in $interfaces; do
		procd_add_reload_interface_trigger "$interface"
	done
}
