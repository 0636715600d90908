#!/usr/bin/env bash
# Puts a file into a comment of the pull request, in place of the comment that begins with the same line, if there is
# one. The actions beside it call it as a step; GH_TOKEN, REPOSITORY and PULL_REQUEST are in the environment.
set -euo pipefail

comment=$1
comments="repos/$REPOSITORY/issues/$PULL_REQUEST/comments"
MARKER=$(head -n 1 "$comment")
export MARKER
id=$(gh api "$comments" --paginate --jq '.[] | select(.body | startswith($ENV.MARKER)) | .id' | head -n 1)
if [ -n "$id" ]; then
  gh api --silent --method PATCH "repos/$REPOSITORY/issues/comments/$id" --field body=@"$comment"
else
  gh api --silent --method POST "$comments" --field body=@"$comment"
fi
