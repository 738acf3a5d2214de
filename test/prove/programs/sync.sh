#!/bin/bash
# Does some of the tasks with curl and jq.
set -euo pipefail
task() { jq -r "$1" "$SHELFLEET_TASK"; }
name=$(task .name)
if [ "$(task .api)" = store ]; then base=$STORE_URL secret=$STORE_TOKEN; else base=$FLEET_URL secret=$FLEET_KEY; fi
encode() { jq -rn --arg text "$1" '$text | @uri'; }

# --retry repeats timeouts, 408, 429 and 5xx, and waits for Retry-After
options=(--silent --show-error --fail --location --max-time 1.5 -H "Authorization: Bearer $secret")
get() { curl "${options[@]}" --retry 2 --retry-max-time 8 "$base$1"; }
send() { curl "${options[@]}" -X "$1" -H "Content-Type: application/json" "$base$2" --data "$3"; }

by_cursor() { # path, limit
  local cursor="" page
  while :; do
    page=$(get "$1&limit=$2${cursor:+&cursor=$(encode "$cursor")}")
    jq -c '.items[]' <<<"$page"
    cursor=$(jq -r '.nextCursor // empty' <<<"$page")
    [ -n "$cursor" ] || break
  done
}

by_number() { # path
  local number=1 page
  while :; do
    page=$(get "$1?limit=100&page=$number")
    jq -c '.data[]' <<<"$page"
    [ "$(jq -r .meta.pagination.hasNextPage <<<"$page")" = true ] || break
    number=$((number + 1))
  done
}

lock() {
  exec 9>"$SHELFLEET_OUT/lock"
  flock -n 9 || { echo "another run is in progress" >&2; exit 1; }
}

rows=$SHELFLEET_OUT/rows.ndjson
case $name in
copy-stores) by_cursor "/v1/stores?" 100 >"$rows" ;;
copy-vehicles) by_number /vehicles >"$rows" ;;
copy-damages) by_number /damages >"$rows" ;;
report-damages)
  lock
  known=$(by_number /damages | jq -r .description)
  jq -c '.data.damages[]' "$SHELFLEET_TASK" | while read -r damage; do
    grep -qxF "$(jq -r .description <<<"$damage")" <<<"$known" || send POST /damages "$damage" >/dev/null
  done
  ;;
change-vehicles)
  lock
  jq -c '.data.vehicles[]' "$SHELFLEET_TASK" | while read -r change; do
    path=/vehicles/$(encode "$(jq -r .id <<<"$change")")
    send PUT "$path" "$(get "$path" | jq -c ".data + $change")" >/dev/null
  done
  ;;
change-stores)
  lock
  jq -c '.data.stores[]' "$SHELFLEET_TASK" | while read -r change; do
    path=/v1/stores/$(encode "$(jq -r .externalId <<<"$change")")
    send PUT "$path" "$(get "$path" | jq -c --argjson change "$change" 'del(.storeId) + {name: $change.name}')" >/dev/null
  done
  ;;
*) echo "cannot do $name" >&2; exit 1 ;;
esac
