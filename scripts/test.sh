#!/usr/bin/env bash
# test.sh [VITEST ARGUMENTS…]: all tests that this machine can run. Those on a real S3 server (Ceph RADOS Gateway)
# run where it is installed, unless TEST_CEPH=no; those in a browser where CHROMIUM is its path. Where some were left
# out, the last lines say so.
# Needs neither network nor root.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
node scripts/write-client-types.ts || exit

tell_of_browser() {
  [ -n "${CHROMIUM:-}" ] || printf '%s\n' '' 'LEFT OUT: the tests in a real browser: `npm run test:browser` runs them, in Chromium of Debian (installed as root).'
}

left_out=
[ "${TEST_CEPH:-}" != no ] || left_out="TEST_CEPH=no"
for command in radosgw ceph-mon ceph-osd ceph; do
  command -v "$command" >/dev/null || left_out="it is not installed"
done
if [ -z "$left_out" ]; then
  # Only the tests on S3 are to know of it.
  bash scripts/with-ceph.sh env -u STORE vitest run "$@"; status=$?
  [ "$status" = 75 ] || { tell_of_browser; exit "$status"; }
  left_out="it did not start (see above)"
fi

vitest run "$@"; status=$?
cat <<TEXT

LEFT OUT: the tests on a real S3 server (Ceph RADOS Gateway): $left_out.
          \`npm run test:ceph\` installs it from Debian's packages where it is missing (as root) and runs them.
TEXT
tell_of_browser
exit "$status"
