# shellcheck shell=dash
# SPDX-License-Identifier: MIT
#
# The UCI configuration /etc/config/nound as the JSON configuration that nound reads. An option is passed on under its
# name, whatever the name is, so that nound itself refuses what it does not know; here is only said what UCI leaves
# open: types. A value is what JSON would read (17, 20.5, true, null, "17"), and else a string.

# Says what is wrong with the UCI configuration, and makes the translation fail.
nound_refuse() {
	NOUND_REFUSED=1
	echo "nound: /etc/config/nound: $1" >&2
}

# nound_refuse_file SENTENCE: with what uci says of it.
nound_refuse_file() {
	case "$1" in
		*"Parse error"*) nound_refuse "there is a syntax error: $1" ;;
		*) nound_refuse "it cannot be read: $1" ;;
	esac
}

# The options that a section has, in order, as UCI itself cannot list them later.
nound_note_option() {
	eval "NOUND_OPTIONS_$CONFIG_SECTION=\"\${NOUND_OPTIONS_$CONFIG_SECTION} $1\""
}

# shellcheck disable=SC2317 # config_load calls the callbacks
# Reads the UCI configuration. Leaves in NOUND_MAIN the section `nound`, whatever its name, or nothing. Fails, with a
# sentence on standard error, when the file is no UCI, has a section that means nothing, or two sections `nound`.
nound_load() {
	NOUND_REFUSED=
	NOUND_MAIN=
	config_cb() {
		[ -z "$2" ] || eval "NOUND_OPTIONS_$2="
		case "$1" in
			'' | limits | access | mqtt | tls | https | documents | location | noun | key) ;;
			nound)
				[ -z "$NOUND_MAIN" ] || nound_refuse "there is more than one section nound; keep one"
				NOUND_MAIN="$2"
				;;
			*)
				nound_refuse "expected a section nound, limits, access, mqtt, tls, https, documents, location, noun or key, \
found $1"
				;;
		esac
	}
	option_cb() {
		nound_note_option "$1"
	}
	list_cb() {
		local length
		config_get length "$CONFIG_SECTION" "${1}_LENGTH"
		[ "$length" != 1 ] || nound_note_option "$1"
	}
	# config_load takes as much of a file as it can read, and does not report a mistake.
	uci export nound > /dev/null 2>&1 || nound_refuse_file "$(uci export nound 2>&1 > /dev/null)"
	config_load nound
	reset_cb
	[ -z "$NOUND_REFUSED" ]
}

# nound_is_list SECTION OPTION VALUE: whether nound takes a list there. Some kinds have one value as their default, and
# what Home Assistant is told is either.
nound_is_list() {
	local type kind
	config_get type "$1" TYPE
	config_get kind "$1" kind
	case "$2" in
		when | guard | stopAtOpen | stopAtClose | then | else | open | close | total | rate | labels) ;;
		values | alpn | groups | keys | tls) ;;
		default) case "$type $kind" in 'noun value' | 'noun led' | 'noun pwm') ;; *) return 1 ;; esac ;;
		homeAssistant) case "$type $3" in mqtt\ *) return 1 ;; *\ ?*=*) ;; *) return 1 ;; esac ;;
		*) return 1 ;;
	esac
}

# nound_claim OBJECT KEY PLACE: refuses a key that its object has already. jshn would keep the last one silently, also
# of two that differ in nothing but punctuation.
nound_claim() {
	local plain="$2"
	case "$2" in
		*[!A-Za-z0-9_]*) plain="$(printf %s "$2" | tr -c 'A-Za-z0-9_' _)" ;;
	esac
	case "$NOUND_TAKEN " in
		*" $1/$plain "*) nound_refuse "$3: $2 occurs twice, or together with a name that differs only in punctuation" ;;
	esac
	NOUND_TAKEN="$NOUND_TAKEN $1/$plain"
}

nound_is_number() {
	case "${1#-}" in
		'' | *[!0-9.]* | .* | *. | *.*.* | 0[0-9]*) return 1 ;;
	esac
	[ ${#1} -le 15 ] # beyond that a number is not exact any more, and nound must see what was written
}

# nound_add_scalar KEY VALUE
nound_add_scalar() {
	local text
	case "$2" in
		true) json_add_boolean "$1" 1 ;;
		false) json_add_boolean "$1" 0 ;;
		null) json_add_null "$1" ;;
		\"*\")
			text="${2#\"}"
			json_add_string "$1" "${text%\"}"
			;;
		*.*) if nound_is_number "$2"; then json_add_double "$1" "$2"; else json_add_string "$1" "$2"; fi ;;
		*) if nound_is_number "$2"; then json_add_int "$1" "$2"; else json_add_string "$1" "$2"; fi ;;
	esac
}

# nound_add_boolean KEY VALUE: as UCI has it; anything else is for nound to refuse.
nound_add_boolean() {
	case "$2" in
		1 | on | true | yes | enabled) json_add_boolean "$1" 1 ;;
		0 | off | false | no | disabled) json_add_boolean "$1" 0 ;;
		*) json_add_string "$1" "$2" ;;
	esac
}

# nound_add_pair KEY=VALUE SECTION OPTION: one key of a state.
nound_add_pair() {
	case "$1" in
		?*=*)
			nound_claim "$2/$3" "${1%%=*}" "the list $3 of $2"
			nound_add_scalar "${1%%=*}" "${1#*=}"
			;;
		*)
			if nound_is_list "$2" "${3%% *}" "$1"; then
				nound_refuse "the list $3 of $2: expected key=value, found $1"
			else
				nound_refuse "the list $3 of $2: expected key=value, found $1 (one value is an option: uci delete \
nound.$2.$3; uci set nound.$2.$3='$1')"
			fi
			;;
	esac
}

nound_add_item() {
	nound_add_scalar "" "$1"
}

nound_add_name() {
	json_add_string "" "$1"
}

# nound_note_condition CONDITION OPTION: notes the noun of a condition in NOUND_NOUNS, each once.
nound_note_condition() {
	case "$1" in
		?*' '?*' '?*) ;;
		*)
			nound_refuse "the list $2: expected a noun, a key and a value, found $1"
			return
			;;
	esac
	case " $NOUND_NOUNS " in
		*" ${1%% *} "*) ;;
		*) NOUND_NOUNS="$NOUND_NOUNS ${1%% *}" ;;
	esac
}

# nound_add_condition CONDITION NOUN SECTION OPTION: a condition such as "door open 1", "button short changes" or "room
# temperature below 4 until 6", if it is the noun's.
nound_add_condition() {
	local key word rest="${1#* }"
	[ "${1%% *}" = "$2" ] || return 0
	key="${rest%% *}"
	rest="${rest#* }"
	nound_claim "$3/$4/$2" "$key" "the list $4 of $3"
	case "$rest" in
		changes)
			json_add_object "$key"
			json_add_boolean changes 1
			json_close_object
			;;
		above\ * | below\ *)
			word="${rest%% *}"
			rest="${rest#* }"
			json_add_object "$key"
			nound_add_scalar "$word" "${rest%% until *}"
			[ "${rest%% until *}" = "$rest" ] || nound_add_scalar until "${rest#* until }"
			json_close_object
			;;
		*) nound_add_scalar "$key" "$rest" ;;
	esac
}

# nound_add_conditions SECTION OPTION [KEY]: the conditions of a rule, a guard or an end switch, by their nouns. KEY is
# what JSON calls them, if that is not the option's name.
nound_add_conditions() {
	local noun
	NOUND_NOUNS=
	config_list_foreach "$1" "$2" nound_note_condition "$2"
	json_add_object "${3:-$2}"
	for noun in $NOUND_NOUNS; do
		json_add_object "$noun"
		config_list_foreach "$1" "$2" nound_add_condition "$noun" "$1" "$2"
		json_close_object
	done
	json_close_object
}

# nound_add_action ACTION SECTION OPTION: an action such as "PUT lamp on=1" or "POST horn". A word without = belongs to
# the value before it.
nound_add_action() {
	local word pair='' verb="${1%% *}" rest="${1#* }"
	case "$1" in
		?*' '?*) ;;
		*)
			nound_refuse "the list $3 of $2: expected a verb and a noun, found $1"
			return
			;;
	esac
	word="${rest%% *}"
	nound_claim "$2/$3" "$verb $word" "the list $3 of $2"
	json_add_object "$verb $word"
	rest="${rest#"$word"}"
	while [ -n "${rest# }" ]; do
		rest="${rest# }"
		word="${rest%% *}"
		rest="${rest#"$word"}"
		case "$word" in
			?*=*)
				[ -z "$pair" ] || nound_add_pair "$pair" "$2" "$3 $1"
				pair="$word"
				;;
			*) pair="${pair:+$pair }$word" ;;
		esac
	done
	[ -z "$pair" ] || nound_add_pair "$pair" "$2" "$3 $1"
	json_close_object
}

# nound_add_array SECTION OPTION FUNCTION: a list whose items the function adds.
nound_add_array() {
	json_add_array "$2"
	config_list_foreach "$1" "$2" "$3"
	json_close_array
}

# nound_add_option SECTION OPTION
nound_add_option() {
	local value length type kind
	config_get value "$1" "$2"
	config_get length "$1" "${2}_LENGTH"
	config_get type "$1" TYPE
	config_get kind "$1" kind
	# `uci set` makes an option where nound has a list: it means a list of one item.
	if [ -z "$length" ] && nound_is_list "$1" "$2" "$value"; then
		length=1
		config_set "$1" "${2}_LENGTH" 1
		config_set "$1" "${2}_ITEM1" "$value"
	fi
	if [ "$type" = documents ]; then
		nound_add_boolean "$2" "$value"
	elif [ "$kind $2" = 'modbus unit' ]; then
		nound_add_scalar "$2" "$value"
	elif [ -z "$length" ]; then
		case "$2" in
			key | line | chip | device | path | type | zone | unit | hosts | origins | tokens | user | group | title | area | \
				description | id | address | broker | password | prefix | may) json_add_string "$2" "$value" ;;
			activeLow | homeAssistant | mayBeAbsent | optional | presses | rs485 | text | writable)
				nound_add_boolean "$2" "$value"
				;;
			*) nound_add_scalar "$2" "$value" ;;
		esac
	else
		case "$2" in
			values) nound_add_array "$1" "$2" nound_add_item ;;
			hosts | origins | broker | groups | at | alpn | keys) nound_add_array "$1" "$2" nound_add_name ;;
			when | guard) nound_add_conditions "$1" "$2" ;;
			stopAtOpen | stopAtClose) ;; # nound_add_stops adds both as one object
			then | else)
				json_add_object "$2"
				config_list_foreach "$1" "$2" nound_add_action "$1" "$2"
				json_close_object
				;;
			*)
				json_add_object "$2"
				config_list_foreach "$1" "$2" nound_add_pair "$1" "$2"
				json_close_object
				;;
		esac
	fi
}

# nound_add_options SECTION OPTION...: all options of a section but those named.
nound_add_options() {
	local section="$1" options option
	shift
	eval "options=\"\$NOUND_OPTIONS_$section\""
	for option in $options; do
		case " $* " in
			*" $option "*) ;;
			*) nound_add_option "$section" "$option" ;;
		esac
	done
}

# nound_add_key SECTION NOUN: a key of the noun, if the section is one.
nound_add_key() {
	local noun name
	config_get noun "$1" noun
	config_get name "$1" name
	[ "$noun" = "$2" ] || return 0
	nound_claim "shape/$2" "$name" "the keys of $2"
	json_add_object "$name"
	nound_add_options "$1" noun name
	json_close_object
}

# nound_note_key SECTION NOUN: notes whether a noun has keys of its own.
nound_note_key() {
	local noun
	config_get noun "$1" noun
	[ "$noun" != "$2" ] || NOUND_HAS_KEYS=1
}

# nound_add_stops SECTION: the end switches of a cover, of its lists stopAtOpen and stopAtClose.
nound_add_stops() {
	local open close
	config_get open "$1" stopAtOpen_LENGTH
	config_get close "$1" stopAtClose_LENGTH
	[ -n "$open$close" ] || return 0
	json_add_object stopAt
	[ -z "$open" ] || nound_add_conditions "$1" stopAtOpen open
	[ -z "$close" ] || nound_add_conditions "$1" stopAtClose close
	json_close_object
}

# nound_add_noun SECTION: its name is the section's, or the option `name` where UCI allows no such section.
nound_add_noun() {
	local name kind
	config_get name "$1" name "$1"
	nound_claim nouns "$name" "the nouns"
	json_add_object "$name"
	nound_add_options "$1" name
	nound_add_stops "$1"
	NOUND_HAS_KEYS=
	config_foreach nound_note_key key "$1"
	if [ -n "$NOUND_HAS_KEYS" ]; then
		# A value has the shape that its configuration says; any other noun has its keys already, and is told of them.
		config_get kind "$1" kind
		if [ "$kind" = value ]; then json_add_object shape; else json_add_object keys; fi
		config_foreach nound_add_key key "$1"
		json_close_object
	fi
	json_close_object
}

# nound_add_section SECTION KEY: the options of a section, as the object under this key.
nound_add_section() {
	nound_claim configuration "$2" "the sections"
	json_add_object "$2"
	nound_add_options "$1"
	json_close_object
}

# nound_print_json SERVICE_OPTION...: the configuration that was loaded, as JSON. The options named are the service's.
nound_print_json() {
	NOUND_REFUSED=
	NOUND_TAKEN=
	json_init
	[ -z "$NOUND_MAIN" ] || nound_add_options "$NOUND_MAIN" "$@"
	config_foreach nound_add_section limits limits
	config_foreach nound_add_section access access
	config_foreach nound_add_section mqtt mqtt
	config_foreach nound_add_section tls tls
	config_foreach nound_add_section https https
	config_foreach nound_add_section documents documents
	config_foreach nound_add_section location location
	json_add_object nouns
	config_foreach nound_add_noun noun
	json_close_object
	[ -z "$NOUND_REFUSED" ] && json_dump
}
