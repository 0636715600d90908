import { formatConstructPlace, formatPropPath, toPropPath } from '../src/api/construct-props';
import { parseResource, type Resource } from '../src/api/kinds';
import { API_VERSION, type InvalidValue, type Path } from '../src/api/resource';
import { type Diagnostic, formatDiagnostic, relocate } from '../src/base/diagnostic';
import { propsToDocument } from './props-to-document';
import { DECLARED, type ResourceConstruct } from './resource-construct';

/** The result of reading props: a resource, or all problems. */
type ReadPropsResult = { readonly resource: Resource } | InvalidValue<Resource>;

/** Whether a fleet has any settings to read. */
export function hasSettings(fleet: ResourceConstruct<'Fleet'>): boolean {
  return Object.values(fleet[DECLARED].props).some((value) => value !== undefined);
}

/** Reads the props of a construct as a resource. */
export function readProps(owner: ResourceConstruct): ReadPropsResult {
  const { kind } = owner[DECLARED];
  const { document, findings } = propsToDocument(owner);
  const parsed = parseResource({
    apiVersion: `fleetwright.dev/${API_VERSION}`,
    kind,
    ...document,
    metadata: { name: owner.node.id, ...document.metadata },
    spec: document['spec'] ?? {},
  });
  if ('resource' in parsed) return findings.length === 0 ? parsed : { findings };
  if (findings.length === 0) return parsed;
  return { findings: [...findings, ...dropRepeatedFindings(parsed.findings, findings)] };
}

/** Adds the path of the construct to findings. */
export function locateInConstruct(construct: ResourceConstruct, findings: readonly Diagnostic<Path>[]): Diagnostic[] {
  const { kind } = construct[DECLARED];
  return findings.map((one) => relocate(one, (path) => formatConstructPlace(construct.node.path, kind, path)));
}

/** Formats the problems of a construct for synthesis, which adds the path of the construct to each. */
export function validationErrorsOf(construct: ResourceConstruct, reading: ReadPropsResult): string[] {
  if ('resource' in reading) return [];
  const { kind } = construct[DECLARED];
  return reading.findings.map((one) =>
    formatDiagnostic(relocate(one, (path) => formatPropPath(toPropPath(kind, path)))),
  );
}

/** Removes schema findings about props that were rejected already. */
function dropRepeatedFindings(
  findings: readonly Diagnostic<Path>[],
  rejected: readonly Diagnostic<Path>[],
): Diagnostic<Path>[] {
  const known = new Set(rejected.map(({ at: path }) => path.join('\0')));
  return findings.filter(({ at: path }) => !known.has(path.join('\0')));
}
