#!/usr/bin/env bash
# with-chromium.sh COMMAND…: runs a command with CHROMIUM, the path of Debian's Chromium, in its environment.
# Installs the package where it is missing (root; about a minute). Ends with the command's status, or with 75 and the
# reason where there is no Chromium and it could not be installed.
# Env: CHROMIUM (another browser of the family, used as it is).
set -uo pipefail

[ $# -ge 1 ] || { echo "usage: $0 COMMAND…" >&2; exit 2; }
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export PATH=$root/node_modules/.bin:$PATH

if [ -z "${CHROMIUM:-}" ]; then
  if ! command -v chromium >/dev/null; then
    echo "Installing Chromium from Debian's packages" >&2
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq >&2 &&
      apt-get install -qq -y --no-install-recommends chromium fonts-dejavu-core >&2
  fi
  CHROMIUM=$(command -v chromium) || {
    echo "There is no Chromium, and it could not be installed (that takes root, apt-get and Debian's packages): set CHROMIUM to the path of one" >&2
    exit 75
  }
fi
[ -x "$CHROMIUM" ] || { echo "CHROMIUM: $CHROMIUM is no program" >&2; exit 75; }
export CHROMIUM
exec "$@"
