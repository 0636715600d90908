import { parseResource, type Resource } from '../src/api/kinds';
import { constructPlace, formatProp, propPath } from '../src/api/props';
import { type Finding, VERSION } from '../src/api/resource';
import { describe, type Problem } from '../src/errors';
import { documentFor } from './document';
import type { Named } from './named';

/** What props turn out to declare: a resource, or everything that is wrong with them. */
export type Reading = { readonly resource: Resource } | { readonly findings: readonly Finding[] };

/** Reads the props of a construct as the resource that they declare. */
export function readProps(owner: Named, props: object): Reading {
  const { document, findings } = documentFor(owner.kind, props, owner);
  const parsed = parseResource({
    apiVersion: `fleetwright.dev/${VERSION}`,
    kind: owner.kind,
    ...document,
    metadata: { name: owner.node.id, ...document.metadata },
    spec: document['spec'] ?? {},
  });
  if ('resource' in parsed) return findings.length === 0 ? parsed : { findings };
  return { findings: [...findings, ...withoutThoseAt(parsed.findings, findings)] };
}

/** What is wrong with a construct, with the path of the construct. */
export function problemsOf({ kind, node }: Named, findings: readonly Finding[]): Problem[] {
  return findings.map(({ path, ...said }) => ({ ...said, where: constructPlace(node.path, kind, path) }));
}

/** What is wrong with a construct, for synthesis, which puts the path of the construct before each. */
export function mistakesOf({ kind }: Named, reading: Reading): string[] {
  if ('resource' in reading) return [];
  return reading.findings.map(({ path, ...said }) =>
    describe({ ...said, where: formatProp(propPath(kind, path)) }),
  );
}

/** What the schema says about a prop that was refused already only repeats it. */
function withoutThoseAt(findings: readonly Finding[], refused: readonly Finding[]): Finding[] {
  const known = new Set(refused.map(({ path }) => path.join('\0')));
  return findings.filter(({ path }) => !known.has(path.join('\0')));
}
