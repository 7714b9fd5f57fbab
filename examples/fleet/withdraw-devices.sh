#!/bin/sh
# Withdraws the certificates of devices, such as stolen ones: writes the list of all withdrawn certificates for the
# broker, FOLDER/broker/revoked.pem.
#
#   withdraw-devices.sh FOLDER NAME...
#
# FOLDER is that of new-devices.sh. A broker reads the list when it starts.
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
    [ -s "$folder/$name/client.pem" ] || fail "$folder/$name/client.pem is missing: no certificate was made for $name"
done

settings=$folder/revoking.conf
printf '[ca]\ndefault_ca = it\n[it]\ndatabase = %s\ndefault_md = sha256\n' "$folder/revoked" > "$settings"
touch "$folder/revoked"
authority() {
    openssl ca -config "$settings" -cert "$folder/broker/authority.pem" -keyfile "$folder/authority.key" "$@" \
        2> /dev/null
}
for name; do
    serial=$(openssl x509 -in "$folder/$name/client.pem" -noout -serial | cut -d = -f 2)
    # openssl fails if a certificate is on the list already.
    grep -q "	$serial	" "$folder/revoked" || authority -revoke "$folder/$name/client.pem"
done
authority -gencrl -crldays 3650 -out "$folder/broker/revoked.pem"
rm "$settings"
