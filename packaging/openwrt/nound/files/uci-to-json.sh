# shellcheck shell=dash
# SPDX-License-Identifier: MIT
#
# The UCI configuration /etc/config/nound, for the init script and as the JSON configuration that nound reads.

# shellcheck disable=SC2034 # the init script reads it
nound_note_main() {
	NOUND_MAIN="$1"
}

# Reads the UCI configuration. Leaves in NOUND_MAIN the section `nound`, whatever its name, or nothing. Fails, with a
# sentence on standard error, when the file is no UCI: config_load takes as much of a file as it can read, and does not
# report a mistake.
# shellcheck disable=SC2034 # the init script reads it
nound_load() {
	local said
	NOUND_MAIN=
	if ! said="$(uci export nound 2>&1 > /dev/null)"; then
		case "$said" in
			*"Parse error"*) echo "nound: /etc/config/nound: there is a syntax error: $said" >&2 ;;
			*) echo "nound: /etc/config/nound: it cannot be read: $said" >&2 ;;
		esac
		return 1
	fi
	config_load nound
	config_foreach nound_note_main nound
}

# nound_print_json SERVICE_OPTION...: the configuration as JSON. The options named are the service's. Fails, with
# sentences on standard error, when UCI's form leaves open what is meant.
nound_print_json() {
	uci export nound |
		awk -v service="$*" -f /usr/share/nound/uci-keys.awk -f /usr/share/nound/uci-to-json.awk
}
