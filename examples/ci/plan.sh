#!/usr/bin/env bash
# Plans a fleet against another state, for a comment on a pull request. The actions beside it call it as a step;
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

# A plan that is refused is shown all the same: the last steps fail.
status=0
{
  echo "<!-- fleetwright: $DIRECTORY -->"
  $COMMAND plan "$DIRECTORY" --against "$against" --markdown --annotations github ${LOCK:+--lock "$LOCK"} $FLAGS || status=$?
} > "$comment"
if [ "$status" = 1 ] || [ "$status" = 70 ]; then exit "$status"; fi

if [ "$against" != "$AGAINST" ]; then
  text=$(< "$comment")
  printf '%s\n' "${text//"$base/"/"$AGAINST:"}" > "$comment"
fi
cat "$comment" >> "$GITHUB_STEP_SUMMARY"
{ echo "comment=$comment"; echo "status=$status"; } >> "$GITHUB_OUTPUT"
