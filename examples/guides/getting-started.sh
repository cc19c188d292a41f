# Needs MADANG_URL and MADANG_API_KEY.
set -eu

curl --fail-with-body "$MADANG_URL/v1/users" \
  -H "Authorization: Bearer $MADANG_API_KEY" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: create-start_kim" \
  -d '{"user_id": "start_kim", "name": "Kim"}'
