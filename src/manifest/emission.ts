import { type Resource, resourceId } from '../api/kinds';
import { constructPlace } from '../api/props';
import type { Locate } from '../api/locate';
import { FleetwrightError, type Problem } from '../errors';
import { formatDocuments } from '../render/yaml';
import { documentOf } from './canonical';
import { UNLIMITED } from './limits';
import { loadManifests } from './load';

/** Names the file to which a program writes its declarations, instead of going on. */
export const EMIT_VARIABLE = 'FLEETWRIGHT_EMIT';

/** On what a program emits: the path of the construct that declared it. */
const CONSTRUCT = 'fleetwright.dev/construct';

/** What a program declares, in a form that the command line can read. */
export interface Emission {
  readonly resources: readonly Resource[];

  /** The paths of the constructs, by `resourceId`. */
  readonly constructs: ReadonlyMap<string, string>;

  /** The absolute path of the lock that the program reads. Absent where it reads none. */
  readonly lock?: string;

  /** The names of the renderers that the program brings. The command line has none of them. */
  readonly renderers?: readonly string[];
}

/** The places of resources that constructs declare, by `resourceId`. */
export function constructLocator(constructs: ReadonlyMap<string, string>): Locate {
  return (resource, path) => {
    const id = resourceId(resource);
    return constructPlace(constructs.get(id) ?? id, resource.kind, path);
  };
}

/** Declarations as YAML: one document each, sorted, with the path of its construct as an annotation. */
export function formatEmission({ resources, constructs, lock, renderers = [] }: Emission): string {
  const documents = resources.map((resource) => {
    const construct = constructs.get(resourceId(resource)) ?? '';
    const annotations = { ...resource.metadata.annotations, [CONSTRUCT]: construct };
    return documentOf({ ...resource, metadata: { ...resource.metadata, annotations } });
  });
  const reads = lock === undefined ? '' : ` Its lock: ${JSON.stringify(lock)}`;
  const brings = renderers.length === 0 ? '' : ` Its renderers: ${JSON.stringify(renderers)}`;
  return formatDocuments(documents, `Written by a program for the fleetwright command.${brings}${reads}`);
}

const LOCK = /^# .* Its lock: (".*")\n/;

/** Directly behind the first sentence: the path of a lock may hold anything. */
const RENDERERS = /^# [\w ]+\. Its renderers: (\["[^"]*"(?:,"[^"]*")*\])/;

/** What is wrong with the declarations of a program, for the command line to tell. */
export function formatProblems(problems: readonly Problem[]): string {
  return `${JSON.stringify({ problems })}\n`;
}

/**
 * Reads what a program emitted, however much it is.
 *
 * @throws FleetwrightError with the problems that the program found
 */
export function parseEmission(text: string, path: string): Emission {
  if (text.startsWith('{'))
    throw new FleetwrightError((JSON.parse(text) as { problems: Problem[] }).problems);
  const { resources, problems } = loadManifests([{ path, text }], UNLIMITED);
  if (problems.length > 0) throw new FleetwrightError(problems);
  const constructs = new Map(
    resources.map((one) => [resourceId(one), one.metadata.annotations[CONSTRUCT] ?? resourceId(one)]),
  );
  const lock = LOCK.exec(text)?.[1];
  const renderers = RENDERERS.exec(text)?.[1];
  return {
    resources: resources.map(withoutConstruct),
    constructs,
    ...(lock !== undefined && { lock: JSON.parse(lock) as string }),
    ...(renderers !== undefined && { renderers: JSON.parse(renderers) as string[] }),
  };
}

function withoutConstruct(resource: Resource): Resource {
  const { [CONSTRUCT]: _, ...annotations } = resource.metadata.annotations;
  return { ...resource, metadata: { ...resource.metadata, annotations } };
}
