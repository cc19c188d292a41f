# Needs MADANG_URL and MADANG_API_KEY, and more than five users.
set -eu
key="Authorization: Bearer $MADANG_API_KEY"

page=$(curl --silent --fail-with-body "$MADANG_URL/v1/users?limit=5" -H "$key")
next=$(printf %s "$page" | sed 's/.*"next":"\([^"]*\)".*/\1/')

# Send only `next`: it carries the limit and the filters of the first request.
curl --fail-with-body --get "$MADANG_URL/v1/users" --data-urlencode "next=$next" -H "$key"
