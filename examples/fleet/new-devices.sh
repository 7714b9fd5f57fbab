#!/bin/sh
# Makes the files of new devices: of each a folder to copy, and what the broker has to know of all.
#
#   new-devices.sh TEMPLATE FOLDER NAME...
#   new-devices.sh TEMPLATE FOLDER < LIST       a name a line
#
# In the template of the configuration, @NAME@ stands for the device's name. Each file that the template names is made:
#   /etc/nound/mqtt-password                     the password of the user NAME at the broker
#   /etc/nound/tokens                            a token `panel`, which may do everything
#   /etc/nound/client.pem, /etc/nound/client.key a certificate, by which the broker knows the device
#   /etc/nound/authority.pem                     the authority of these, and of a certificate for the template's broker
# FOLDER gets a folder NAME for each device, broker/ with the files of the broker, and tokens.csv. A file that exists
# stays as it is; where it is not what the template says now, a line names it. A device that withdraw-devices.sh has
# withdrawn gets another certificate, token and password than before. Passwords and tokens follow from FOLDER/secret and
# FOLDER/withdrawn: keep a copy of both, and let nobody else read FOLDER. Needs openssl, and mosquitto_passwd for
# passwords.
set -eu
umask 077
fail() {
    echo "new-devices.sh: $1" >&2
    exit 1
}
[ $# -ge 2 ] || fail "usage: new-devices.sh TEMPLATE FOLDER [NAME...]"
template=$1 folder=$2
shift 2
[ -r "$template" ] || fail "$template cannot be read"
set -f # a name is no pattern
# shellcheck disable=SC2046 # words
[ $# -gt 0 ] || set -- $(tr -d '\r') # a list made on Windows
[ $# -gt 0 ] || fail "no name is given, and none is on standard input"

# Files that come and go have a dot in their names, which the name of a device has not.

# names FILE: whether the template names a file.
names() { grep -q "\"/etc/nound/$1\"" "$template"; }

for name; do
    case $name in
        *[!a-zA-Z0-9_-]* | "") fail "$name: a name has letters, digits, _ and -" ;;
        broker | secret | users | revoked | withdrawn) fail "$name: this name is taken by a file of the folder" ;;
    esac
    [ ${#name} -le 60 ] || fail "$name: a name has at most 60 characters"
done
! names mqtt-password || command -v mosquitto_passwd > /dev/null ||
    fail "mosquitto_passwd is missing: install mosquitto"

mkdir -p "$folder/broker"
[ -s "$folder/secret" ] || openssl rand -hex 32 > "$folder/secret"
secret=$(cat "$folder/secret")

# derive NAME WHAT: 40 digits, the same each time, but others after each withdrawal of the name.
derive() {
    count=$(grep -cx "$1" "$folder/withdrawn") || count='' # grep fails where it finds none
    printf '%s\n' "$secret" "$1" "$2" ${count:+"$count"} | openssl dgst -sha256 -r | cut -c 1-40
}
hash_of() { printf %s "$1" | openssl dgst -sha256 -r | cut -c 1-64; }

# certify NAME FILE EXTENSION: makes FILE.key and FILE.pem, unless they are there.
certify() {
    [ ! -s "$2.pem" ] || return 0
    printf '%s\nkeyUsage=critical,digitalSignature\n' "$3" > "$folder/extensions.conf"
    openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" -keyout "$2.key" 2> /dev/null |
        openssl x509 -req -CA "$folder/broker/authority.pem" -CAkey "$folder/authority.key" -days 3650 \
            -set_serial "0x$(openssl rand -hex 16)" -extfile "$folder/extensions.conf" -out "$2.new" 2> /dev/null
    rm "$folder/extensions.conf"
    mv "$2.new" "$2.pem"
}

if { names client.pem || names authority.pem; } && [ ! -s "$folder/broker/authority.pem" ]; then
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 7300 -subj "/CN=Devices of $(uname -n)" \
        -addext keyUsage=critical,keyCertSign,cRLSign -keyout "$folder/authority.key" \
        -out "$folder/broker/authority.pem" 2> /dev/null
fi
if names authority.pem; then
    # The hosts of all brokers in the template: without what is before them, a port and the brackets of IPv6.
    hosts=$(grep -o 'mqtts://[^"/]*' "$template" |
        sed 's,^mqtts://,,; /^\[/!s,:[0-9]*$,,; s,^\[\(.*\)\].*,\1,' | sort -u)
    [ -n "$hosts" ] || fail "$template names authority.pem, and no broker that begins with mqtts://"
    alternatives=
    for host in $hosts; do
        case $host in
            *:*) alternatives="$alternatives,IP:$host" ;;
            *[!0-9.]*) alternatives="$alternatives,DNS:$host" ;;
            *) alternatives="$alternatives,IP:$host" ;;
        esac
    done
    certify "$(echo "$hosts" | head -n 1)" "$folder/broker/server" "subjectAltName=${alternatives#,}
extendedKeyUsage=serverAuth"
    for host in $hosts; do
        case $host in
            *[!0-9.]*[!0-9a-fA-F:.]* | *[g-zG-Z-]*) check=-checkhost ;;
            *) check=-checkip ;;
        esac
        openssl x509 -in "$folder/broker/server.pem" -noout $check "$host" | grep -q 'does match' ||
            echo "broker/server.pem stays, and is not for $host: remove it to get another one"
    done
fi
# An empty list of withdrawn certificates, which withdraw-devices.sh fills: the broker starts only with a list.
if names client.pem && [ ! -s "$folder/broker/revoked.pem" ]; then
    printf '[ca]\ndefault_ca = it\n[it]\ndatabase = %s\ndefault_md = sha256\n' /dev/null > "$folder/revoking.conf"
    openssl ca -config "$folder/revoking.conf" -cert "$folder/broker/authority.pem" -keyfile "$folder/authority.key" \
        -gencrl -crldays 3650 -out "$folder/broker/revoked.pem" 2> /dev/null
    rm "$folder/revoking.conf"
fi

# differs FILE: says that a file is not what this run would have made.
differs() { echo "$1 stays, and differs from the template"; }

# What exists stays. A new line of a list replaces that of a withdrawn device.
touch "$folder/users" "$folder/tokens.csv" "$folder/withdrawn"
for name; do
    device=$folder/$name
    mkdir -p "$device"
    sed "s/@NAME@/$name/g" "$template" > "$folder/template.new"
    if [ ! -s "$device/nound.json" ]; then
        mv "$folder/template.new" "$device/nound.json"
    else
        cmp -s "$folder/template.new" "$device/nound.json" || differs "$name/nound.json"
        rm "$folder/template.new"
    fi
    if names mqtt-password; then
        [ -s "$device/mqtt-password" ] || derive "$name" broker > "$device/mqtt-password"
        grep -q "^$name:" "$folder/users" || echo "$name:$(cat "$device/mqtt-password")" >> "$folder/users"
    fi
    if names tokens; then
        token=$(derive "$name" token)
        line="panel GET,PUT,POST,DELETE * $(hash_of "$token")"
        if [ ! -s "$device/tokens" ]; then
            echo "$line" > "$device/tokens"
        else
            [ "$line" = "$(cat "$device/tokens")" ] || differs "$name/tokens"
        fi
        grep -q "^$name," "$folder/tokens.csv" || echo "$name,$token" >> "$folder/tokens.csv"
    fi
    ! names authority.pem || [ -s "$device/authority.pem" ] || cp "$folder/broker/authority.pem" "$device/"
    ! names client.pem || certify "$name" "$device/client" extendedKeyUsage=clientAuth
done
if names mqtt-password; then
    cp "$folder/users" "$folder/broker/passwords"
    mosquitto_passwd -U "$folder/broker/passwords"
fi
echo "$# devices are in $folder"
