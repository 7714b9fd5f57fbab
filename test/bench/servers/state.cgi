# The four verbs as a CGI script (RFC 3875), with the state in a file beside it: what a small device often has today.
read -r old <state.json
case $REQUEST_METHOD in
PUT) read -r new ;; # the body has no line end: what was read counts, the status of read does not
POST) case $old in *0*) new='{"led":1}' ;; *) new='{"led":0}' ;; esac ;;
DELETE) new='{"led":0}' ;;
*) new=$old ;;
esac
[ "$new" = "$old" ] || printf '%s\n' "$new" >state.json
printf 'Content-Type: application/json\r\nContent-Length: %d\r\nCache-Control: no-store\r\n\r\n%s' "${#new}" "$new"
