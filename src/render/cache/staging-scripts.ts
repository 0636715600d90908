/**
 * The scripts of caches. They read all user input from the environment and arguments, so that no name of a repository,
 * file or pattern is run as code. They use plain POSIX sh and tools that Alpine and Debian both have.
 */

/** The file that marks a folder as complete. It contains the name of the folder, its revision, its size and the time. */
export const MARKER_FILE = '.fleetwright-staged';

/** The file with facts of the fetch program for the marker: `revision=...`. It persists between attempts. */
export const FACTS_FILE = '.fleetwright-facts';

/** The exit code that stops the Job from retrying. */
export const EXIT_WITHOUT_RETRY = 65;

/**
 * Runs the program in its arguments in `FOLDER`, and marks the folder as complete if the program succeeds. Skips a
 * marked folder that still has the size in its marker. Files that engines add are newer than the marker and do not
 * count. The marker becomes the termination message of the container, which stays in the status of its pod: nothing
 * needs the right to write it there.
 */
export const STAGE_SCRIPT = `set -eu
umask 002
marker=$FOLDER/${MARKER_FILE}
measure() {
  find "$FOLDER" -type f ! -name '.fleetwright-*' "$@" -exec stat -c %s {} + |
    awk '{ bytes += $1 } END { printf "files=%d bytes=%.0f", NR, bytes }'
}
report() {
  cat "$marker"
  log=\${TERMINATION_LOG:-/dev/termination-log}
  [ ! -w "$log" ] || cat "$marker" > "$log"
}
if [ -f "$marker" ] && grep -qx "$(measure ! -newer "$marker")" "$marker"; then
  echo "Staged already: $FOLDER"
  report
  exit 0
fi
mkdir -p "$FOLDER"
rm -f "$marker"
cd "$FOLDER"
echo "Staging $FOLDER"
"$@"
size=$(measure)
if [ "$size" = 'files=0 bytes=0' ]; then
  echo 'Nothing was found: see the source of the cache, and what it includes and excludes' >&2
  exit ${EXIT_WITHOUT_RETRY}
fi
{
  echo "folder=\${FOLDER##*/}"
  [ ! -f ${FACTS_FILE} ] || cat ${FACTS_FILE}
  echo "$size"
  date -u +staged=%Y-%m-%dT%H:%M:%SZ
} > "$marker.new"
rm -f ${FACTS_FILE}
mv "$marker.new" "$marker"
report
`;

/** Waits until each folder in its arguments is complete. Exits at once on SIGTERM, because the pod holds devices. */
export const WAIT_SCRIPT = `trap 'exit 143' TERM
for folder do
  [ -f "$folder/${MARKER_FILE}" ] || echo "Waiting until $folder is staged"
  until [ -f "$folder/${MARKER_FILE}" ]; do sleep 5; done
done
`;

/**
 * Deletes the folders in `VOLUME` that were staged before the folder `CURRENT`, a day after `CURRENT` was completed:
 * by then replicas have moved to it, and a rollback within the day needs no download.
 */
export const SWEEP_SCRIPT = `set -eu
current=$VOLUME/$CURRENT/${MARKER_FILE}
if [ -z "$(find "$current" -mtime +0 2> /dev/null)" ]; then
  echo "$CURRENT is not a day old: nothing is dropped"
  exit 0
fi
for folder in "$VOLUME"/*; do
  name=\${folder##*/}
  case $name in "$CURRENT" | *[!0-9a-f]*) continue ;; esac
  [ \${#name} -eq 10 ] || continue
  echo "Dropping $name"
  rm -rf "$folder"
done
`;

/**
 * Copies a Hugging Face repository into the working directory. It resumes interrupted downloads, keeps the commit that
 * the first attempt resolved, and compares every file size.
 */
export const HUGGING_FACE_SCRIPT = `import json, os, pathlib, shutil, sys
from huggingface_hub import HfApi, snapshot_download
from huggingface_hub.utils import filter_repo_objects

repo = os.environ["REPO"]
patterns = {
    "allow_patterns": json.loads(os.environ["INCLUDE"]) or None,
    "ignore_patterns": json.loads(os.environ["EXCLUDE"]) or None,
}
facts = pathlib.Path("${FACTS_FILE}")
if facts.exists():
    revision = facts.read_text().strip().removeprefix("revision=")
else:
    revision = os.environ.get("REVISION")
info = HfApi().model_info(repo, revision=revision, files_metadata=True)
facts.write_text(f"revision={info.sha}\\n")
files = list(filter_repo_objects(info.siblings, key=lambda file: file.rfilename, **patterns))
print(f"{len(files)} files, {sum(file.size for file in files)} bytes at {info.sha}", flush=True)
snapshot_download(repo, revision=info.sha, local_dir=".", **patterns)
wrong = [
    file.rfilename
    for file in files
    if not os.path.isfile(file.rfilename) or os.path.getsize(file.rfilename) != file.size
]
if wrong:
    sys.exit(f"Not of the size that the repository says: {wrong}")
shutil.rmtree(".cache/huggingface", ignore_errors=True)
`;

/**
 * Fetches one file into the working directory. It resumes interrupted downloads and compares the checksum. A wrong
 * checksum after a resume can be caused by the resume, so the next attempt fetches the file from the start.
 */
export const HTTP_SCRIPT = `set -eu
part=./.fleetwright-part
resumed=
[ ! -s "$part" ] || resumed=yes
set -- --fail --location --silent --show-error --retry 5 --speed-limit 1024 --speed-time 60 --globoff
[ -z "\${AUTHORIZATION-}" ] || set -- "$@" --header "Authorization: $AUTHORIZATION"
status=0
code=$(curl "$@" --continue-at - --write-out '%{http_code}' --output "$part" -- "$URL") || status=$?
# The server cannot resume, or the file is another by now. curl takes the second for a file that is complete.
if [ $status -eq 33 ] || [ "$code" = 416 ]; then
  rm -f "$part"
  echo 'Cannot go on where it was interrupted: the next attempt begins again' >&2
  exit 1
fi
[ $status -eq 0 ] || exit $status
if [ -n "\${SHA256-}" ]; then
  actual=$(sha256sum < "$part")
  if [ "\${actual%% *}" != "$SHA256" ]; then
    rm -f "$part"
    echo "The SHA-256 checksum is \${actual%% *}, not $SHA256" >&2
    [ -n "$resumed" ] || exit ${EXIT_WITHOUT_RETRY}
    exit 1
  fi
  echo "sha256=$SHA256" > ${FACTS_FILE}
fi
mv "$part" "./$FILE"
`;
