#!/usr/bin/env bash
# The command line, run by the test that listens on FLEETWRIGHT_PORT: a process of its own takes half a second to load.
work=$(mktemp -d)
printf '%s\0' "$PWD" "$@" > "$work/args"
env -0 > "$work/env"
cat > "$work/stdin"
exec 3<>"/dev/tcp/127.0.0.1/$FLEETWRIGHT_PORT"
echo "$work" >&3
read -r code <&3
cat "$work/out"
cat "$work/err" >&2
rm -r "$work"
exit "$code"
