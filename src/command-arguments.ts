/** What `fleetwright` has to be told to find a fleet and its lock, as a shell takes it: `fleet --lock "a b.yaml"`. */
export function commandArguments(target: string, lock: string | undefined): string {
  return [target, ...(lock === undefined ? [] : ['--lock', lock])].map(shellWord).join(' ');
}

/** A text as one word of a shell. In double quotes where they do, as messages put commands in single ones. */
function shellWord(text: string): string {
  if (/^[\w./:@%+=,-]+$/.test(text)) return text;
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;
}
