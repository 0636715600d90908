#!/usr/bin/env bash
# Puts a file into a comment of the pull request, in place of the comment of AUTHOR with the same first line, if there is
# one: anyone can write a comment with that line. The actions next to it call it as a step; GH_TOKEN, AUTHOR, REPOSITORY and
# PULL_REQUEST are in the environment.
set -euo pipefail

comment=$1
comments="repos/$REPOSITORY/issues/$PULL_REQUEST/comments"
MARKER=$(head -n 1 "$comment")
export MARKER
own='.[] | select(.user.login == $ENV.AUTHOR and (.body | split("\n")[0] | rtrimstr("\r")) == $ENV.MARKER) | .id'
id=$(gh api "$comments" --paginate --jq "$own" | head -n 1)
if [ -n "$id" ]; then
  gh api --silent --method PATCH "repos/$REPOSITORY/issues/comments/$id" --field body=@"$comment"
else
  gh api --silent --method POST "$comments" --field body=@"$comment"
fi
