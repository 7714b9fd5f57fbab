#!/bin/sh
# Withdraws devices, such as stolen ones: their certificates, tokens and passwords. The list of all withdrawn
# certificates for the broker is FOLDER/broker/revoked.pem.
#
#   withdraw-devices.sh FOLDER NAME...
#
# FOLDER is that of new-devices.sh. Of a device, its configuration stays there; new-devices.sh makes the other files
# anew, for a replacement with the same name. A broker reads the lists when it starts.
set -eu
umask 077
fail() {
    echo "withdraw-devices.sh: $1" >&2
    exit 1
}
[ $# -ge 2 ] || fail "usage: withdraw-devices.sh FOLDER NAME..."
folder=$1
shift
for name; do
    case $name in
        *[!a-zA-Z0-9_-]* | "" | broker) fail "$name: no device has this name" ;;
    esac
    [ -s "$folder/$name/nound.json" ] || fail "$folder/$name/nound.json is missing: no files were made for $name"
done

# without FILE PREFIX: takes the lines that begin so out of a list.
without() {
    [ -e "$1" ] || return 0
    grep -v "^$2" "$1" > "$1.new" || true
    mv "$1.new" "$1"
}

settings=$folder/revoking.conf
printf '[ca]\ndefault_ca = it\n[it]\ndatabase = %s\ndefault_md = sha256\n' "$folder/revoked" > "$settings"
touch "$folder/revoked" "$folder/withdrawn"
authority() {
    openssl ca -config "$settings" -cert "$folder/broker/authority.pem" -keyfile "$folder/authority.key" "$@" \
        2> /dev/null
}
for name; do
    device=$folder/$name
    # Noted first, and out of the way of new-devices.sh: whatever ends this script, what is made from now on is new.
    echo "$name" >> "$folder/withdrawn"
    [ ! -e "$device/client.pem" ] || mv "$device/client.pem" "$folder/$name.$(grep -cx "$name" "$folder/withdrawn").pem"
    for file in client.key tokens mqtt-password; do rm -f "$device/$file"; done
    without "$folder/users" "$name:"
    without "$folder/broker/passwords" "$name:"
    without "$folder/tokens.csv" "$name,"
done
# Those of an earlier run that was ended, too. The name of a device has no dot.
for certificate in "$folder"/*.*.pem; do
    [ -s "$certificate" ] || continue
    serial=$(openssl x509 -in "$certificate" -noout -serial | cut -d = -f 2)
    # openssl fails if a certificate is on the list already.
    grep -q "	$serial	" "$folder/revoked" || authority -revoke "$certificate"
done
# Without certificates there is no authority, and no list.
if [ -s "$folder/authority.key" ]; then
    authority -gencrl -crldays 3650 -out "$folder/revoked.new"
    mv "$folder/revoked.new" "$folder/broker/revoked.pem"
fi
rm -f "$settings" "$folder"/*.*.pem
