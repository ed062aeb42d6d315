#!/usr/bin/env bash
# Start a throw-away S3 server (Ceph RADOS Gateway: 1 mon + 1 osd + radosgw) on loopback.
#   start.sh STATE_DIR [PORT]
# All state, pid files and logs live in STATE_DIR; nothing in /etc or /var/lib is touched.
# Several STATE_DIRs may run side by side. A STATE_DIR that was stopped can be started again.
# Env: S3_ACCESS_KEY, S3_SECRET_KEY, S3_OBJECTSTORE=memstore|bluestore (default memstore: RAM,
#      written to STATE_DIR only by a clean stop), S3_START_TIMEOUT (seconds, default 90).
# A bluestore STATE_DIR survives kill -9 of the daemons; a memstore one does not.
# Client notes: use forcePathStyle; bodies as string/Buffer (or requestChecksumCalculation
# WHEN_REQUIRED for streams: RGW 16 answers 411 to the SDK's trailing checksums).
# Prints S3_ENDPOINT=..., AWS_ACCESS_KEY_ID=... etc. on stdout (also in STATE_DIR/env); progress on stderr.
set -euo pipefail
export LC_ALL=C

[ $# -ge 1 ] || { echo "usage: $0 STATE_DIR [PORT]" >&2; exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"; D=$(cd "$1" && pwd -P); want_port=${2:-}
case $D in *[[:space:]\#\;\"\']*) echo "STATE_DIR must not hold blanks, quotes, # or ;" >&2; exit 2;; esac
ACCESS=${S3_ACCESS_KEY:-testkey} SECRET=${S3_SECRET_KEY:-testsecret}
STORE=${S3_OBJECTSTORE:-memstore} LIMIT=${S3_START_TIMEOUT:-90}
say() { printf '[start-s3 %3ss] %s\n' "$SECONDS" "$*" >&2; }
die() { say "FAILED: $*"; exit 1; }

# --- packages -------------------------------------------------------------------------------
need=()
for pc in radosgw:radosgw ceph-mon:ceph-mon ceph-osd:ceph-osd ceph-common:ceph ; do
  command -v "${pc#*:}" >/dev/null || need+=("${pc%%:*}")
done
if [ ${#need[@]} -gt 0 ]; then
  [ "$(id -u)" = 0 ] || die "missing packages (${need[*]}) and not root"
  say "installing ${need[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt=(apt-get -o DPkg::Lock::Timeout=300 -y -q --no-install-recommends)
  ilog=$D/apt.log
  "${apt[@]}" install "${need[@]}" >"$ilog" 2>&1 ||
    { apt-get -o DPkg::Lock::Timeout=300 -q update >>"$ilog" 2>&1 && "${apt[@]}" install "${need[@]}" >>"$ilog" 2>&1; } ||
    { tail -20 "$ilog" >&2; die "apt-get install"; }
  say "packages installed"
fi

# --- already running? -----------------------------------------------------------------------
mine() { # PIDFILE -> true when that pid lives and is a daemon of this STATE_DIR
  [ -e "$1" ] || return 1
  local p; p=$(tr -cd 0-9 2>/dev/null <"$1" || :) && [ -n "$p" ] && [ -r "/proc/$p/cmdline" ] &&
    tr '\0' '\n' <"/proc/$p/cmdline" | grep -qxF -- "$D/ceph.conf"
}
for n in mon.a osd.0 client.rgw; do
  if mine "$D/run/$n.pid"; then die "$n already runs from $D (use stop.sh first)"; fi
done

ok=; cleanup() { [ -n "$ok" ] || { tail -n 15 "$D"/log/*.log >&2 2>/dev/null || :; "$here/stop.sh" "$D" >&2 || :; }; }
trap cleanup EXIT
mkdir -p "$D"/{run,log,crash,rgw}; rm -f "$D"/run/*.pid

# One start at a time per machine, so that two starts can't pick the same port (fd 9 is closed for daemons).
exec 9>"${TMPDIR:-/tmp}/leaflog-start-s3.$(id -u).lock"; flock -w "$((LIMIT * 3))" 9 || die "another start holds the lock"
SECONDS=0
port_busy() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
free_port() { local p i; for i in $(seq 200); do p=$((20000 + RANDOM % 12000))
  port_busy "$p" || { echo "$p"; return; }; done; return 1; }

fresh=; [ -s "$D/ceph.conf" ] && [ -e "$D/.ready" ] || fresh=1
if [ -n "$fresh" ]; then
  rm -rf "$D"/{mon.a,osd.0,keyring,monmap}; mkdir -p "$D"/{mon.a,osd.0}
  MONP=$(free_port); RGWP=${want_port:-$(free_port)}; while [ "$RGWP" = "$MONP" ]; do RGWP=$(free_port); done
  if port_busy "$RGWP"; then die "port $RGWP is in use"; fi
  FSID=$(cat /proc/sys/kernel/random/uuid)
  cat >"$D/ceph.conf" <<C
[global]
fsid = $FSID
mon initial members = a
mon host = [v2:127.0.0.1:$MONP]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
ms learn addr from peer = false
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
auth allow insecure global id reclaim = false
keyring = $D/keyring
run dir = $D/run
admin socket =
pid file = $D/run/\$name.pid
log file = $D/log/\$name.log
crash dir = $D/crash
debug ms = 0/0
[mon]
mon data = $D/mon.a
mon cluster log file = $D/log/cluster.log
mon data avail warn = 1
mon data avail crit = 1
mon allow pool size one = true
mon allow pool delete = true
mon warn on pool no redundancy = false
mon max pg per osd = 2000
paxos propose interval = 0.02
paxos min wait = 0.01
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
[osd]
osd data = $D/osd.0
osd objectstore = $STORE
memstore device bytes = 4294967296
bluestore block size = 21474836480
bluestore cache autotune = false
osd memory target = 1073741824
osd fast shutdown = false
osd max backfills = 1
osd op queue = wpq
[client]
rgw data = $D/rgw
rgw frontends = beast endpoint=127.0.0.1:$RGWP tcp_nodelay=1
rgw rados pool pg num min = 4
rgw thread pool size = 64
rgw override bucket index max shards = 1
rgw dynamic resharding = false
rgw run sync thread = false
rgw enable usage log = false
rgw dns name =
debug rgw = 0/5
C
  C=(-c "$D/ceph.conf")
  { ceph-authtool --create-keyring "$D/keyring" --gen-key -n mon. --cap mon 'allow *'
    ceph-authtool "$D/keyring" --gen-key -n client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *'
    ceph-authtool "$D/keyring" --gen-key -n osd.0 --cap mon 'allow profile osd' --cap osd 'allow *'
    ceph-authtool "$D/keyring" --gen-key -n client.rgw --cap mon 'allow rwx' --cap osd 'allow rwx'
    monmaptool --create --fsid "$FSID" --addv a "[v2:127.0.0.1:$MONP]" "$D/monmap"
    ceph-mon "${C[@]}" -i a --mkfs --monmap "$D/monmap" --keyring "$D/keyring"
  } >"$D/log/setup.log" 2>&1 || { cat "$D/log/setup.log" >&2; die "mon mkfs"; }
fi
C=(-c "$D/ceph.conf")
STORE=$(sed -n 's/^osd objectstore = //p' "$D/ceph.conf")
RGWP=$(sed -n 's/^rgw frontends = .*127\.0\.0\.1:\([0-9]*\).*/\1/p' "$D/ceph.conf")

# --- daemons (each forks to the background itself and writes run/NAME.pid) --------------------
run() { timeout "$LIMIT" "$@" >>"$D/log/setup.log" 2>&1 9>&- </dev/null || die "$*"; }
run ceph-mon "${C[@]}" -i a
say "mon up"
if [ -n "$fresh" ]; then
  U=$(cat /proc/sys/kernel/random/uuid)
  run ceph "${C[@]}" osd new "$U" 0
  run ceph-osd "${C[@]}" -i 0 --mkfs --osd-uuid "$U"
fi
run ceph-osd "${C[@]}" -i 0
say "osd started ($STORE)"
if [ -n "$fresh" ]; then # makes the rgw pools too, so wait for the osd inside
  run radosgw-admin "${C[@]}" -n client.rgw user create --uid=test --display-name=test \
    --access-key="$ACCESS" --secret="$SECRET" --max-buckets=0
  printf 'AWS_ACCESS_KEY_ID=%s\nAWS_SECRET_ACCESS_KEY=%s\nAWS_REGION=us-east-1\n' "$ACCESS" "$SECRET" >"$D/keys"
  say "user made"
fi
run radosgw "${C[@]}" -n client.rgw
ready() { timeout 5 bash -c 'exec 3<>/dev/tcp/127.0.0.1/'"$RGWP"' && printf "GET / HTTP/1.0\r\nHost: localhost\r\n\r\n" >&3 && grep -q ListAllMyBucketsResult <&3' 2>/dev/null 9>&-; }
until ready; do
  [ "$SECONDS" -lt "$LIMIT" ] || die "radosgw not ready on port $RGWP"
  mine "$D/run/client.rgw.pid" || { sleep 1; mine "$D/run/client.rgw.pid" || die "radosgw ended"; }
  sleep 0.1
done
touch "$D/.ready"; ok=1
{ echo "S3_ENDPOINT=http://127.0.0.1:$RGWP"; cat "$D/keys"; } >"$D/env"
say "ready"
cat "$D/env"
