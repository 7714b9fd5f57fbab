# OpenWrt's `jshn -w`: the document of which each call of a json_ function in openwrt.sh wrote a line.
BEGIN { FS = "\t"; depth = 0; type[depth] = "object"; printf "{" }

function quote(text) {
	gsub(/\\/, "\\\\&", text)
	gsub(/"/, "\\\"", text)
	return "\"" text "\""
}

function add(key, text) {
	printf "%s%s%s", (count[depth]++ ? ", " : ""), (type[depth] == "array" ? "" : quote(key) ": "), text
}

function open(key, kind, bracket) {
	add(key, bracket)
	depth++
	type[depth] = kind
	count[depth] = 0
}

$1 == "object" { open($2, $1, "{") }
$1 == "array" { open($2, $1, "[") }
$1 == "close" { printf "%s", (type[depth] == "array" ? "]" : "}"); depth-- }
$1 == "string" { add($2, quote($3)) }
$1 == "number" { add($2, $3) }
$1 == "boolean" { add($2, ($3 == "1" ? "true" : "false")) }
$1 == "null" { add($2, "null") }
END { print "}"; exit depth != 0 }
