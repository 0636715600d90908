/**
 * Merges two texts of a file with the namespaces of a cluster, which `formatDocuments` wrote. Namespaces of the earlier
 * text are never dropped.
 *
 * @param kept the names of namespaces whose earlier form stays
 */
export function mergeNamespaceFiles(now: string | undefined, earlier: string, kept: ReadonlySet<string>): string {
  const [header = ''] = (now ?? earlier).split('\n');
  const documents = readDocuments(now ?? '');
  for (const [name, text] of readDocuments(earlier)) {
    if (kept.has(name) || !documents.has(name)) documents.set(name, text);
  }
  const names = [...documents.keys()].sort();
  return `${header}\n${names.map((name) => documents.get(name)).join('---\n')}`;
}

/** The texts of namespaces by name, without comments. */
function readDocuments(text: string): Map<string, string> {
  const body = text.replace(/^#.*\n/, '');
  return new Map(
    body.split(/^---\n/m).flatMap((document): [string, string][] => {
      const name = /^ {2}name: "?([^"\n]+)"?$/m.exec(document)?.[1];
      return name === undefined ? [] : [[name, document]];
    }),
  );
}
