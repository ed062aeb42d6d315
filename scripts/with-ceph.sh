#!/usr/bin/env bash
# with-ceph.sh COMMAND…: runs a command beside a throw-away S3 server (Ceph RADOS Gateway on loopback),
# with STORE=s3 and the S3_… settings of the server in its environment; afterwards stops and wipes the server.
# Installs Debian's Ceph packages where they are missing (root; about a minute). Ends with the command's status,
# or with 75 where the server could not be started.
# Env: CEPH_STATE (folder for the server's state; default a fresh temporary one), S3_OBJECTSTORE (see s3/start.sh).
set -uo pipefail

[ $# -ge 1 ] || { echo "usage: $0 COMMAND…" >&2; exit 2; }
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export PATH=$root/node_modules/.bin:$PATH
state=${CEPH_STATE:-$(mktemp -d "${TMPDIR:-/tmp}/leaflog-ceph.XXXXXX")}

# Nobody stays behind, whatever ends this script.
clean_up() {
  "$root/scripts/s3/stop.sh" "$state" --wipe || return
  [ -n "${CEPH_STATE:-}" ] || rm -rf "$state"
}
trap clean_up EXIT
command=
trap '[ -z "$command" ] || kill -TERM "$command" 2>/dev/null; exit 143' INT TERM HUP

"$root/scripts/s3/start.sh" "$state" >/dev/null || exit 75
set -a
. "$state/env"
STORE=s3 S3_REGION=$AWS_REGION S3_BUCKET=leaflog
S3_ACCESS_KEY_ID=$AWS_ACCESS_KEY_ID S3_SECRET_ACCESS_KEY=$AWS_SECRET_ACCESS_KEY
set +a
unset AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
node "$root/scripts/s3/create-bucket.ts" || exit 75

# In the background, because bash runs a trap only between commands; `wait` can be interrupted.
"$@" <&0 &
command=$!
wait "$command"
