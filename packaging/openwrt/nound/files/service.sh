# shellcheck shell=dash
# SPDX-License-Identifier: MIT
#
# What the init scripts of nound and of applications share. A script that reads this sets PROG, the program, RUN, its
# folder in memory, CANDIDATE, the file with the configuration that is to come, and SAYS_WHERE, which names what says
# itself where to listen, if anything does.

# Tells the log, and who typed the command.
tell() {
	logger -t nound -p "daemon.$1" "$2"
	echo "$2" >&2
}

# Tells each line of a file, under the name of the file that people write. LuCI reads them in $RUN/refused.
tell_refusal() {
	local line
	sed "s#$CANDIDATE#/etc/config/nound#g" "$RUN/refusal" > "$RUN/refused"
	while read -r line; do
		tell err "$line"
	done < "$RUN/refused"
}

# accept FUNCTION: keeps the UCI configuration in $RUN/accepted, if the function finds nothing wrong with it. Otherwise
# tells why, and leaves there the last one that was right. The function runs in a shell of its own, because nothing
# unloads the options of a configuration that is wrong.
accept() {
	mkdir -p "$RUN" && chgrp nound "$RUN" && chmod 750 "$RUN" || return 1
	rm -f "$CANDIDATE"
	if ("$1") 2> "$RUN/refusal" && (umask 077 && uci export nound > "$RUN/accepted.new"); then
		mv "$RUN/accepted.new" "$RUN/accepted"
		rm -f "$RUN/refused"
		return
	fi
	rm -f "$CANDIDATE"
	tell_refusal
	return 1
}

# Leaves in NOUND_MAIN the section `nound` of the accepted configuration, or nothing. Fails if none was accepted.
load_accepted() {
	# shellcheck source=/dev/null
	. /lib/functions/network.sh
	[ -e "$RUN/accepted" ] || return 1
	NOUND_MAIN=
	UCI_CONFIG_DIR="$RUN"
	config_load accepted
	# shellcheck disable=SC2034 # config_load reads it
	UCI_CONFIG_DIR=
	config_foreach note_main nound
}

note_main() {
	NOUND_MAIN="$1"
}

is_enabled() {
	local enabled
	config_get_bool enabled "$NOUND_MAIN" enabled 1
	[ "$enabled" = 1 ]
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

# Leaves in LISTEN the addresses, and in PORT and SEALED_PORT those by which others reach nound by http and by https, if
# they do.
# shellcheck disable=SC2034 # the init scripts read both
find_addresses() {
	local listen interfaces interface family port address found
	config_get listen "$NOUND_MAIN" listen
	config_get interfaces "$NOUND_MAIN" interface
	config_get family "$NOUND_MAIN" family ipv4
	config_get port "$NOUND_MAIN" port 8080
	LISTEN=
	PORT=
	SEALED_PORT=
	for address in $listen; do
		add_address "$address"
		case "$address" in
			https://127.* | "https://[::1]"* | https://localhost:*) ;;
			https://*) SEALED_PORT="${address##*:}" ;;
		esac
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

# existing OPTION: prints the files for the jail that UCI lists there.
existing() {
	local path paths
	config_get paths "$NOUND_MAIN" "$1"
	for path in $paths; do
		if [ -e "$path" ]; then
			echo "$path"
		else
			tell warn "nound: there is no $path for the jail"
		fi
	done
}

# Adds to READ, HELD and WRITE the files that UCI lists.
add_jail_mounts() {
	local more
	more="$(existing jailMount)"
	READ="$READ $more"
	HELD="$HELD $more"
	WRITE="$WRITE $(existing jailMountWritable)"
}

# The rule of local time, which the jail has no file with.
time_zone() {
	uci -q get 'system.@system[0].timezone'
}

# What a daemon that runs can only be given by a new start. The jail holds on to the files in HELD themselves, also
# where others have taken their names.
describe_start() {
	echo "$LISTEN" "$READ" "$WRITE" "$(time_zone)"
	# shellcheck disable=SC2086 # words
	ls -diL "$PROG" $HELD
	[ -z "$RESOLVES" ] || md5sum /etc/resolv.conf
}

# is_same NAME: whether $RUN/NAME is what standard input is, which takes its place.
is_same() {
	cat > "$RUN/$1.new"
	cmp -s "$RUN/$1.new" "$RUN/$1" && return
	mv "$RUN/$1.new" "$RUN/$1"
	return 1
}

# The daemon's process, or that of its jail, if it runs.
running_process() {
	[ -n "$IS_STOPPED" ] || jsonfilter -s "$(ubus call service list '{"name":"nound"}')" -e '@[*].instances[*].pid'
}

# replace_configuration PROCESS: puts the candidate in the place of the configuration, and has a process go on with it.
# The last configuration goes back to its place where that is refused; where the process has ended meanwhile, the next
# one starts with the candidate.
replace_configuration() {
	mv "$RUN/nound.json" "$RUN/nound.json.last"
	mv "$CANDIDATE" "$RUN/nound.json"
	"$PROG" --reload "$1" 2> "$RUN/refusal"
	[ $? = 69 ] || return 0
	tell_refusal
	mv "$RUN/nound.json.last" "$RUN/nound.json"
	rm "$RUN/contents"
	return 1
}

# Takes the candidate as the configuration. A daemon that needs no new start for it is reloaded, so that its states
# stay; procd finds nothing changed then.
take_configuration() {
	local process same_start='' same_contents=''
	process="$(running_process)"
	! describe_start 2> /dev/null | is_same start || same_start=1
	[ -e "$CANDIDATE" ] || return 0
	# shellcheck disable=SC2086 # words
	! cat "$CANDIDATE" $SECRETS 2> /dev/null | md5sum | is_same contents || same_contents=1
	if [ -z "$process" ] || [ -z "$same_start" ]; then
		mv "$CANDIDATE" "$RUN/nound.json"
	elif [ -z "$same_contents" ]; then
		replace_configuration "$process"
	fi
}

# What `stop` begins with, and `restart`.
stop_service() {
	IS_STOPPED=1
}

# open_instance WORD...: tells procd of the daemon, in a jail that has what READ and WRITE list, and nothing else. The
# words are the beginning of its command line.
open_instance() {
	local address
	procd_open_instance
	procd_set_param command "$PROG" "$@"
	for address in $LISTEN; do
		procd_append_param command --listen "$address"
	done
	# An upgrade replaces the program.
	procd_set_param file "$PROG" "$RUN/start"
	procd_set_param env TZ="$(time_zone)"
	procd_set_param respawn 3600 5 0 # without an end: an address or a device may come later
	procd_set_param term_timeout 10
	procd_set_param stderr 1
	procd_set_param user nound
	procd_set_param group nound
	procd_set_param no_new_privs 1
	procd_set_param capabilities /etc/capabilities/nound.json
	procd_add_jail nound procfs
	# shellcheck disable=SC2086 # words
	procd_add_jail_mount $READ
	# shellcheck disable=SC2086 # words
	procd_add_jail_mount_rw $WRITE
}

has_instance() {
	[ -n "$(running_process)" ]
}

# What `start` ends with.
service_started() {
	return "${STATUS:-0}"
}

service_triggers() {
	local interfaces interface
	procd_add_reload_trigger nound system
	# netifd replaces the file with the servers that resolve names.
	if [ -n "$RESOLVES" ]; then
		# shellcheck disable=SC2154 # rc.common sets it
		procd_add_raw_trigger 'interface.*' 1000 "$initscript" reload
		return
	fi
	config_get interfaces "$NOUND_MAIN" interface
	for interface in $interfaces; do
		procd_add_reload_interface_trigger "$interface"
	done
}
