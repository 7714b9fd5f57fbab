# SPDX-License-Identifier: MIT
#
# Reads what `uci export nound` prints, and prints the JSON configuration that nound reads. uci-keys.awk says of each
# option what it holds; nound itself refuses options and values that it does not know. The variable `service` names the
# options of the section nound that are the init script's.

# Says what is wrong with the UCI configuration, and makes the translation fail.
function refuse(sentence) {
	print "nound: /etc/config/nound: " sentence > "/dev/stderr"
	refused = 1
}

# define(TABLE, "KEY=TYPE KEY=TYPE..."): the types of the options of a section, or of the keys of an object.
function define(table, entries, list, count, i, at) {
	count = split(entries, list, " ")
	for (i = 1; i <= count; i++) {
		at = index(list[i], "=")
		types[table, substr(list[i], 1, at - 1)] = substr(list[i], at + 1)
	}
}

function type_of(table, key) {
	if ((table, key) in types) return types[table, key]
	return (table, "*") in types ? types[table, "*"] : ""
}

# The first table of an object in a type, without its letter; nothing if the type has no such object.
function table_in(type, letter, parts, count, i) {
	count = split(type, parts, "|")
	for (i = 1; i <= count; i++)
		if (substr(parts[i], 1, 1) == letter) return substr(parts[i], 2)
	return ""
}

# The document is a tree of nodes: 1 is the whole. A node is JSON text, or an object or a list with children.

# The new child of a node. A list's children have no key.
function add_child(node, key) {
	nodes++
	child[node, ++children[node]] = nodes
	key_of[nodes] = key
	found[node, key] = nodes
	return nodes
}

# A new child that is JSON text already.
function add_text(node, key, text) {
	text_of[add_child(node, key)] = text
}

# The child of this key, an object. It is made if there is none.
function object_at(node, key) {
	if (!((node, key) in found)) bracket[add_child(node, key)] = "{}"
	else if (!(found[node, key] in bracket)) refuse(key ": expected all of it as JSON, or nothing")
	return found[node, key]
}

# Refuses a key that its object has already.
function is_free(node, key, place) {
	if (!((node, key) in found)) return 1
	refuse(place ": " key " occurs twice")
	return 0
}

function quote(text, head, character) {
	head = ""
	while (match(text, /[\001-\037"\\]/)) {
		character = substr(text, RSTART, 1)
		head = head substr(text, 1, RSTART - 1) escapes[character]
		text = substr(text, RSTART + 1)
	}
	return "\"" head text "\""
}

# A whole number that is too large to be exact stays a text, so that nound shows what was written.
function is_number(text, digits) {
	if (text !~ /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$/) return 0
	digits = text
	sub(/^-/, "", digits)
	return digits !~ /^[0-9]+$/ || length(digits) < 16 || (length(digits) == 16 && digits "" <= "9007199254740991")
}

function is_true(text) {
	return text ~ /^(1|on|true|yes|enabled)$/
}

function is_boolean(text) {
	return is_true(text) || text ~ /^(0|off|false|no|disabled)$/
}

# The JSON of a scalar of this type. UCI has no empty values: "" is the empty text.
function scalar(text, type) {
	if (text == "\"\"") return text
	if (type ~ /^b/ && is_boolean(text)) return is_true(text) ? "true" : "false"
	if (type ~ /^[nx]/ && is_number(text)) return text
	if (type ~ /^x/ && text ~ /^(true|false|null)$/) return text
	if (type ~ /^(x|bs|s[|][{])/ && length(text) > 1 && text ~ /^".*"$/) text = substr(text, 2, length(text) - 2)
	return quote(text)
}

# Whether a value is JSON instead of UCI: an object, or a list of anything but plain words.
function is_json(text, type) {
	if (substr(text, 1, 1) == "{") return type ~ /(^|\|)[{?!]/ && substr(text, length(text)) == "}"
	return type ~ /(^|\|)\[/ && text ~ /^\[(["{[]|\]$)/ && substr(text, length(text)) == "]"
}

# Whether JSON has its form: strings and values become one letter each, and what they are in becomes one, too.
function is_well_formed(text, before) {
	gsub(/"([^"\\\001-\037]|\\["\\\/bfnrt]|\\u[0-9a-fA-F][0-9a-fA-F][0-9a-fA-F][0-9a-fA-F])*"/, "\001", text)
	gsub(/-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?|true|false|null/, "\002", text)
	gsub(/[ \t\r\n]+/, "", text)
	do {
		before = text
		gsub(/\[([\001\002](,[\001\002])*)?\]/, "\002", text)
		gsub(/\{(\001:[\001\002](,\001:[\001\002])*)?\}/, "\002", text)
	} while (text != before)
	return text == "\002"
}

function add_json(node, key, text, place) {
	if (is_well_formed(text)) add_text(node, key, text)
	else refuse(place ": expected JSON, found " text)
}

# The first word of a text. What follows it is in `rest`.
function first_word(text, at) {
	at = index(text, " ")
	rest = at ? substr(text, at + 1) : ""
	return at ? substr(text, 1, at - 1) : text
}

# Adds key=value to an object, whose keys are in a table. `a.b=value` is a key of the object a, unless a.b is a key.
function add_pair(node, table, item, place, at, key, type, dot) {
	at = index(item, "=")
	key = substr(item, 1, at - 1)
	dot = index(key, ".")
	if (dot > 1 && !((table, key) in types)) {
		type = table_in(type_of(table, substr(key, 1, dot - 1)), "{")
		if (type != "") {
			add_pair(object_at(node, substr(key, 1, dot - 1)), type, substr(item, dot + 1), place)
			return
		}
	}
	add_item(node, key, substr(item, at + 1), type_of(table, key), place)
}

# Adds the value of a key that may be a list, each item a pair of its own.
function add_item(node, key, text, type, place, item, list) {
	item = table_in(type, "[")
	if ((node, key) in found && item != "" && is_listed[node, key]) {
		list = found[node, key]
		if (bracket[list] != "[]") {
			bracket[list] = "[]"
			add_text(list, "", scalar(first_of[node, key], item))
		}
		add_text(list, "", scalar(text, item))
		return
	}
	if (!is_free(node, key, place)) return
	if (is_json(text, type)) add_json(node, key, text, place)
	else if (type ~ /^[{?!]/) refuse(place ": expected " key ".KEY=VALUE, found " key "=" text)
	else if (type ~ /^\[/) {
		bracket[add_child(node, key)] = "[]"
		add_text(found[node, key], "", scalar(text, item))
		is_listed[node, key] = 1
	} else {
		add_text(node, key, scalar(text, type == "" ? "x" : type))
		first_of[node, key] = text
		is_listed[node, key] = 1
	}
}

# Adds a condition such as "door open 1", "button short changes" or "room temperature below 4 until 6".
function add_condition(node, table, text, place, noun, key, word) {
	noun = first_word(text)
	key = first_word(rest)
	if (noun == "" || key == "" || rest == "") {
		refuse(place ": expected a noun, a key and a value, found " text)
		return
	}
	node = object_at(node, noun)
	if (!is_free(node, key, place)) return
	text = rest
	word = first_word(text)
	if (substr(text, 1, 1) == "{") add_json(node, key, text, place)
	else if (word != "." && (table, word) in types && (types[table, word] == "!") == (rest == "")) {
		node = object_at(node, key)
		do text = add_comparison(node, table, text)
		while (text != "")
	} else add_text(node, key, scalar(text, types[table, "."]))
}

# Adds a word of a condition, and its value, which lasts until the next word. Returns what is left of the text.
function add_comparison(node, table, text, word, value, part) {
	word = first_word(text)
	value = ""
	if (types[table, word] != "!")
		while (rest != "") {
			text = rest
			part = first_word(text)
			if (value != "" && part != "." && (table, part) in types) {
				rest = text
				break
			}
			value = value == "" ? part : value " " part
		}
	add_text(node, word, types[table, word] == "!" ? "true" : scalar(value, types[table, word]))
	return rest
}

# Adds words such as "on=1 text=it is cold": a word without = belongs to the value before it.
function add_words(node, table, text, place, item, pair, word) {
	pair = ""
	while (text != "") {
		word = first_word(text)
		text = rest
		if (index(word, "=") > 1) {
			if (pair != "") add_pair(node, table, pair, place)
			pair = word
		} else if (pair != "") pair = pair " " word
		else if (word != "") refuse(place ": expected key=value, found " word)
	}
	if (pair != "") add_pair(node, table, pair, place)
}

# Adds an action such as "PUT lamp on=1" or "POST horn".
function add_action(node, table, text, place, verb, noun) {
	verb = first_word(text)
	noun = first_word(rest)
	if (verb == "" || noun == "") {
		refuse(place ": expected a verb and a noun, found " text)
		return
	}
	noun = verb " " noun
	if (!is_free(node, noun, place)) return
	if (substr(rest, 1, 1) == "{") add_json(node, noun, rest, place)
	else add_words(object_at(node, noun), table, rest, place)
}

# shell(TEXT): as a shell reads it as one word.
# A replacement of gsub would not do: awks differ in what a backslash before another character means there.
function shell(text, parts, count, word, i) {
	count = split(text, parts, "'")
	word = parts[1]
	for (i = 2; i <= count; i++) word = word "'\\''" parts[i]
	return "'" word "'"
}

# Adds an option with its values, of a section that messages call `name`.
function add_option(node, section, key, type, place, name, one, count, letter, i, list, item) {
	count = value_count[section, key]
	one = value[section, key, 1]
	if (type == "") type = is_list[section, key] ? "[x" : "x"
	letter = substr(type, 1, 1)
	item = table_in(type, "[")
	if (count == 1 && is_json(one, type)) add_json(node, place, one, key " of " name)
	else if (count == 1 && letter !~ /[[{?!]/ && !(is_list[section, key] && item != "") &&
		!(type ~ /[{]/ && index(one, "=") > 1)) add_text(node, place, scalar(one, type))
	else if (item != "" && item !~ /^[?]/) {
		list = add_child(node, place)
		bracket[list] = "[]"
		for (i = 1; i <= count; i++) add_element(list, item, value[section, key, i], key " of " name)
	} else if (match(type, /[{?!]/)) {
		letter = substr(type, RSTART, 1)
		item = table_in(type, letter)
		list = object_at(node, place)
		for (i = 1; i <= count; i++) {
			one = value[section, key, i]
			if (letter == "?") add_condition(list, item, one, key " of " name)
			else if (letter == "!") add_action(list, item, one, key " of " name)
			else if (index(one, "=") > 1) add_pair(list, item, one, key " of " name)
			else refuse(key " of " name ": expected key=value, found " one)
		}
	} else refuse(key " of " name ": expected one value, found a list of " count " (to keep the first: uci delete nound." \
		path[section] "." key "; uci set nound." path[section] "." key "=" shell(one) ")")
}

# Adds an element of a list: a scalar, or an object as JSON or as words key=value.
function add_element(list, type, text, place) {
	if (type !~ /^\{/) add_text(list, "", scalar(text, type))
	else if (is_json(text, type)) add_json(list, "", text, place)
	else {
		bracket[add_child(list, ++elements)] = "{}"
		add_words(found[list, elements], substr(type, 2), text, place)
	}
}

# Adds all options of a section but those that `except` names.
function add_options(node, section, table, kind, except, name, i, key, type, at) {
	for (i = 1; i <= option_count[section]; i++) {
		key = option[section, i]
		if (index(" " except " ", " " key " ")) continue
		type = (table "/" kind, key) in types ? types[table "/" kind, key] : type_of(table, key)
		# A key of an object that has an option of its own: stopAt.open:TYPE
		if (match(type, /^[A-Za-z0-9]+\.[A-Za-z0-9]+:/)) {
			at = index(type, ".")
			add_option(object_at(node, substr(type, 1, at - 1)), section, key, substr(type, RLENGTH + 1), \
				substr(type, at + 1, RLENGTH - at - 1), name)
		} else if (is_free(node, key, name)) add_option(node, section, key, type, key, name)
	}
}

function get(section, key, otherwise) {
	return (section, key, 1) in value ? value[section, key, 1] : otherwise
}

function add_noun(node, section, name, kind, noun, i, records, key) {
	name = get(section, "name", is_named[section] ? path[section] : "")
	if (name == "") refuse(path[section] ": expected a name: config noun 'lamp', or option name 'hall-lamp'")
	if (name == "" || !is_free(node, name, "the nouns")) return
	noun = object_at(node, name)
	kind = get(section, "kind", "")
	# nound says which kinds there are, and what the options of an unknown one hold, nobody knows.
	if (!index(" " kinds " ", " " kind " ")) {
		if (kind != "") add_text(noun, "kind", quote(kind))
		return
	}
	add_options(noun, section, "noun", kind, "name", name)
	# A value has the shape that its configuration says; any other noun has its keys already, and is told of them.
	records = type_of("records/" kind, "*")
	if (records == "") records = type_of("records", "*")
	for (i = 1; i <= sections_found; i++)
		if (section_type[i] == "key" && get(i, "noun", "") == name) {
			key = get(i, "name", "")
			if (!is_free(object_at(noun, records), key, "the keys of " name)) continue
			add_options(object_at(object_at(noun, records), key), i, "key", kind, "noun name", key " of " name)
		}
}

# The JSON of a node.
function print_node(node, i, one) {
	if (node in text_of && !(node in bracket)) {
		printf "%s", text_of[node]
		return
	}
	printf "%s", substr(bracket[node], 1, 1)
	for (i = 1; i <= children[node]; i++) {
		one = child[node, i]
		printf "%s", (i > 1 ? ", " : "") (bracket[node] == "[]" ? "" : quote(key_of[one]) ": ")
		print_node(one)
	}
	printf "%s", substr(bracket[node], 2)
}

BEGIN {
	for (i = 1; i < 32; i++) escapes[sprintf("%c", i)] = sprintf("\\u%04x", i)
	escapes["\""] = "\\\""
	escapes["\\"] = "\\\\"
	define_keys()
	sections = "nound " sections " noun key"
}

# Takes the words of a line, each in quotation marks or not. A value may have several lines.
{
	line = line == "" ? $0 : line "\n" $0
	words = 0
	text = line
	isOpen = 0
	while (match(text, /[^ \t\r\n]/)) {
		text = substr(text, RSTART)
		word = ""
		while (text != "" && text !~ /^[ \t\r\n]/) {
			character = substr(text, 1, 1)
			text = substr(text, 2)
			if (character == "'") {
				at = index(text, "'")
				if (!at) isOpen = 1
				word = word substr(text, 1, at - 1)
				text = at ? substr(text, at + 1) : ""
			} else {
				if (character == "\\") {
					character = substr(text, 1, 1)
					text = substr(text, 2)
				}
				word = word character
			}
		}
		list[++words] = word
	}
	if (isOpen) next
	line = ""
	if (!words) next
	if (list[1] == "config") {
		type = list[2]
		section_type[++sections_found] = type
		is_named[sections_found] = words > 2
		path[sections_found] = words > 2 ? list[3] : "@" type "[" seen[type] + 0 "]"
		seen[type]++
		if (!index(" " sections " ", " " type " ")) {
			known = sections
			gsub(/ /, ", ", known)
			sub(/, key$/, " or key", known)
			refuse("expected a section " known ", found " type)
		} else if (type !~ /^(noun|key)$/ && seen[type] == 2) refuse("there is more than one section " type "; keep one")
	} else if (list[1] == "option" || list[1] == "list") {
		if (!((sections_found, list[2]) in value_count)) option[sections_found, ++option_count[sections_found]] = list[2]
		if (list[1] == "option") value_count[sections_found, list[2]] = 0
		else is_list[sections_found, list[2]] = 1
		value[sections_found, list[2], ++value_count[sections_found, list[2]]] = words > 2 ? list[3] : ""
	}
}

END {
	nodes = 1
	bracket[1] = "{}"
	for (i = 1; i <= sections_found; i++) {
		type = section_type[i]
		if (seen[type] > 1 && type !~ /^(noun|key)$/) continue
		if (type == "nound") add_options(1, i, type, "", service, "the section nound")
		else if (type !~ /^(noun|key)$/ && index(" " sections " ", " " type " "))
			add_options(object_at(1, type), i, type, "", "", path[i])
	}
	object_at(1, "nouns")
	for (i = 1; i <= sections_found; i++) if (section_type[i] == "noun") add_noun(found[1, "nouns"], i)
	if (refused) exit 1
	print_node(1)
	print ""
}
