import { parseResource, type Resource } from '../src/api/kinds';
import { constructPlace, formatProp, propPath } from '../src/api/props';
import { type Finding, type Refused, VERSION } from '../src/api/resource';
import { describe, type Problem } from '../src/errors';
import { documentFor } from './document';
import { DECLARED, type Declaring } from './declared';

/** What props turn out to declare: a resource, or everything that is wrong with them. */
export type Reading = { readonly resource: Resource } | Refused<Resource>;

/** Whether a fleet has settings of its own. Without any, there is nothing to read. */
export function hasSettings(fleet: Declaring<'Fleet'>): boolean {
  return Object.values(fleet[DECLARED].props).some((value) => value !== undefined);
}

/** Reads the props of a construct as the resource that they declare. */
export function readProps(owner: Declaring): Reading {
  const { kind } = owner[DECLARED];
  const { document, findings } = documentFor(owner);
  const parsed = parseResource({
    apiVersion: `fleetwright.dev/${VERSION}`,
    kind,
    ...document,
    metadata: { name: owner.node.id, ...document.metadata },
    spec: document['spec'] ?? {},
  });
  if ('resource' in parsed) return findings.length === 0 ? parsed : { findings };
  if (findings.length === 0) return parsed;
  return { findings: [...findings, ...withoutThoseAt(parsed.findings, findings)] };
}

/** What is wrong with a construct, with the path of the construct. */
export function problemsOf(construct: Declaring, findings: readonly Finding[]): Problem[] {
  const { kind } = construct[DECLARED];
  return findings.map(({ path, ...said }) => ({
    ...said,
    where: constructPlace(construct.node.path, kind, path),
  }));
}

/** What is wrong with a construct, for synthesis, which puts the path of the construct before each. */
export function mistakesOf(construct: Declaring, reading: Reading): string[] {
  if ('resource' in reading) return [];
  const { kind } = construct[DECLARED];
  return reading.findings.map(({ path, ...said }) =>
    describe({ ...said, where: formatProp(propPath(kind, path)) }),
  );
}

/** What the schema says about a prop that was refused already only repeats it. */
function withoutThoseAt(findings: readonly Finding[], refused: readonly Finding[]): Finding[] {
  const known = new Set(refused.map(({ path }) => path.join('\0')));
  return findings.filter(({ path }) => !known.has(path.join('\0')));
}
