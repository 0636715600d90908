#!/usr/bin/env bash
# Plans a fleet against another state, for a comment on a pull request. The actions next to it call it as a step;
# COMMAND, DIRECTORY, AGAINST, INSTALL, LOCK and FLAGS are in the environment.
set -euo pipefail

comment="$RUNNER_TEMP/fleetwright-comment.md"
against=$AGAINST
if [ -n "$INSTALL" ]; then
  # What a program declared is known by running it, in files of its own.
  base=$(mktemp -d "$RUNNER_TEMP/base.XXXXXX")
  top=$(git -C "$DIRECTORY" rev-parse --show-toplevel)
  below=$(git -C "$DIRECTORY" rev-parse --show-prefix)
  git -C "$top" archive "$AGAINST" | tar -x -C "$base"
  (cd "$base" && bash -eo pipefail -c "$INSTALL")
  # A fleet that is new is compared with the revision, which has none.
  if [ -e "$base/$below" ]; then against="$base/${below%/}"; fi
fi

# Whatever the plan says is shown, also where it refuses or cannot read the fleet, so that no earlier comment stays: the
# last steps fail.
status=0
plan="$RUNNER_TEMP/fleetwright-plan.md"
errors="$RUNNER_TEMP/fleetwright-errors.txt"
$COMMAND plan "$DIRECTORY" --against "$against" --markdown --annotations github ${LOCK:+--lock "$LOCK"} $FLAGS > "$plan" 2> "$errors" || status=$?
cat "$errors" >&2
{
  echo "<!-- fleetwright: $DIRECTORY -->"
  if [ -s "$plan" ] || [ "$status" = 0 ]; then
    cat "$plan"
  else
    printf '### Fleet: no plan, exit code %s\n\nCorrect these errors. Nothing is compared until then.\n\n' "$status"
    # Indented, so that no text of the fleet is markup. GitHub reads the annotations in the log.
    shown=$(sed '/^::/d' "$errors")
    printf '%s\n' "${shown:0:20000}" | sed 's/^/    /'
  fi
} > "$comment"

if [ "$against" != "$AGAINST" ]; then
  text=$(< "$comment")
  printf '%s\n' "${text//"$base/"/"$AGAINST:"}" > "$comment"
fi
cat "$comment" >> "$GITHUB_STEP_SUMMARY"
{ echo "comment=$comment"; echo "status=$status"; } >> "$GITHUB_OUTPUT"
