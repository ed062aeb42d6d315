#!/usr/bin/env bash
# stop.sh STATE_DIR [--wipe]: stop exactly the daemons that start.sh started from STATE_DIR
# (by pid file, each checked to be a process of this STATE_DIR); --wipe also removes STATE_DIR.
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: $0 STATE_DIR [--wipe]" >&2; exit 2; }
[ -d "$1" ] || { echo "no such dir: $1" >&2; exit 0; }
D=$(cd "$1" && pwd -P)
alive() { [ -r "/proc/$1/cmdline" ] && tr '\0' '\n' <"/proc/$1/cmdline" 2>/dev/null | grep -qxF -- "$D/ceph.conf"; }
rc=0
for n in client.rgw osd.0 mon.a; do # radosgw first, so that nothing writes while the osd saves its store
  f=$D/run/$n.pid; p=$(tr -cd 0-9 2>/dev/null <"$f" || :)
  if [ -n "$p" ] && alive "$p"; then
    kill -TERM "$p" 2>/dev/null || :; kill -CONT "$p" 2>/dev/null || : # in case a test had paused it
    for _ in $(seq 150); do alive "$p" || break; sleep 0.1; done
    if alive "$p"; then echo "stop-s3: $n ($p) needed SIGKILL" >&2; kill -KILL "$p" 2>/dev/null || :; sleep 0.3; fi
    if alive "$p"; then echo "stop-s3: $n ($p) still runs" >&2; rc=1; fi
  fi
  rm -f "$f"
done
if [ "${2:-}" = --wipe ] && [ $rc = 0 ] && [ -e "$D/ceph.conf" ]; then rm -rf "$D"; fi
exit $rc
