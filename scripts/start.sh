#!/usr/bin/env bash
# start.sh: serves the Worker on loopback, on the local R2 of workerd, for development.
# Env: PORT (default 8787), LEAFLOG_DATA (folder that keeps the data; default .leaflog), and all that src/config.ts
# reads. Needs no account and no network. Ctrl-C, SIGTERM and even SIGKILL leave no process behind.
set -uo pipefail

port=${PORT:-8787}
[[ $port =~ ^[0-9]+$ ]] && [ "$port" -ge 1 ] && [ "$port" -le 65535 ] ||
  { echo "PORT: must be a whole number from 1 to 65535" >&2; exit 1; }
data=$(realpath -m -- "${LEAFLOG_DATA:-.leaflog}")
mkdir -p -- "$data" || { echo "LEAFLOG_DATA: can't make the folder $data" >&2; exit 1; }

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
export PATH=$PWD/node_modules/.bin:$PATH
export WRANGLER_SEND_METRICS=false WRANGLER_SEND_ERROR_REPORTS=false CLOUDFLARE_CF_FETCH_ENABLED=false
export WRANGLER_HIDE_BANNER=true X_LOCAL_EXPLORER=false X_LOCAL_OBSERVABILITY=false CI=1
# The service's own variables reach the Worker as they would in a deployment (with all others, whose names
# wrangler then lists).
if compgen -e | grep -qE '^(STORE$|S3_|CORS_ORIGINS|CATALOG_SHARDS|ACTIVITY_LAG_SECONDS|PURGE_|SESSION_TTL_DAYS|READS_PER_MINUTE|WRITES_PER_MINUTE|MEDIA_SECRET$|WATCH_SECONDS$|SUMMARIZER_|API_KEYS|JWT_)'; then
  export CLOUDFLARE_INCLUDE_PROCESS_ENV=true
fi

# The server gets a process group of its own, by which all of it can be ended.
set -m
# DEVELOPMENT lets loopback names in without credentials; no deployment has it.
wrangler dev -c wrangler.toml --local --ip 127.0.0.1 --port "$port" --persist-to "$data" --var DEVELOPMENT:true \
  --inspector-port 0 --show-interactive-dev-session=false </dev/null &
server=$!

# What is killed can't end its children, and they would keep the port: so a guard ends the group once the server,
# this script, or the npm that runs it are gone.
above=$$
[ -z "${npm_lifecycle_event:-}" ] || above=$PPID
(
  trap '' INT TERM HUP
  while kill -0 $$ && kill -0 "$above" && kill -0 "$server"; do sleep 0.5; done
  kill -TERM -- "-$server" && sleep 2 && kill -KILL -- "-$server"
) </dev/null >/dev/null 2>&1 &
set +m

stopped=
stop() {
  [ -z "$stopped" ] && kill -TERM "$server" 2>/dev/null
  stopped=1
}
trap stop INT TERM HUP
wait "$server"; status=$?
while kill -0 "$server" 2>/dev/null; do wait "$server"; status=$?; done
[ -z "$stopped" ] || exit 0
exit "$status"
