import { formatConstructPlace, formatPropPath, toPropPath } from '../src/api/construct-props';
import { parseResource, type Resource } from '../src/api/kinds';
import { API_VERSION, type InvalidValue, type Path } from '../src/api/resource';
import { type Diagnostic, formatDiagnostic, relocate } from '../src/base/diagnostic';
import { propsToDocument } from './props-to-document';
import { DECLARED, type ResourceConstruct } from './resource-construct';

/** What props turn out to declare: a resource, or everything that is wrong with them. */
type ReadPropsResult = { readonly resource: Resource } | InvalidValue<Resource>;

/** Whether a fleet has settings of its own. Without any, there is nothing to read. */
export function hasSettings(fleet: ResourceConstruct<'Fleet'>): boolean {
  return Object.values(fleet[DECLARED].props).some((value) => value !== undefined);
}

/** Reads the props of a construct as the resource that they declare. */
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

/** What is wrong with a construct, with the path of the construct. */
export function locateFindings(
  construct: ResourceConstruct,
  findings: readonly Diagnostic<Path>[],
): Diagnostic[] {
  const { kind } = construct[DECLARED];
  return findings.map((one) =>
    relocate(one, (path) => formatConstructPlace(construct.node.path, kind, path)),
  );
}

/** What is wrong with a construct, for synthesis, which puts the path of the construct before each. */
export function validationErrorsOf(construct: ResourceConstruct, reading: ReadPropsResult): string[] {
  if ('resource' in reading) return [];
  const { kind } = construct[DECLARED];
  return reading.findings.map((one) =>
    formatDiagnostic(relocate(one, (path) => formatPropPath(toPropPath(kind, path)))),
  );
}

/** What the schema says about a prop that was refused already only repeats it. */
function dropRepeatedFindings(
  findings: readonly Diagnostic<Path>[],
  refused: readonly Diagnostic<Path>[],
): Diagnostic<Path>[] {
  const known = new Set(refused.map(({ at: path }) => path.join('\0')));
  return findings.filter(({ at: path }) => !known.has(path.join('\0')));
}
