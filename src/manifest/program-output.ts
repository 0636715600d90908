import { formatConstructPlace } from '../api/construct-props';
import { type Locate, type Resource, resourceIdOf } from '../api/kinds';
import type { Diagnostic } from '../base/diagnostic';
import { type DiagnosticDocument, diagnosticDocument, errorFrom } from '../base/diagnostic-document';
import { FleetwrightError } from '../base/errors';
import { documentOf } from './canonical-document';
import { formatDocuments } from './format-yaml';
import { UNLIMITED } from './input-limits';
import { loadManifests } from './load-manifests';

/** Names the file to which a program writes its declarations, instead of going on. */
export const EMIT_VARIABLE = 'FLEETWRIGHT_EMIT';

/** On what a program emits: the path of the construct that declared it. */
const CONSTRUCT_ANNOTATION = 'fleetwright.dev/construct';

/** What a program declares, in a form that the command line can read. */
export interface ProgramOutput {
  readonly resources: readonly Resource[];

  /** The paths of the constructs, by `resourceId`. */
  readonly constructs: ReadonlyMap<string, string>;

  /** The absolute path of the lock that the program reads. Absent where it reads none. */
  readonly lock?: string;

  /** The names of the renderers that the program brings. The command line has none of them. */
  readonly renderers?: readonly string[];
}

/** The places of resources that constructs declare, by `resourceId`. */
export function createConstructLocator(constructs: ReadonlyMap<string, string>): Locate {
  return (resource, path) => {
    const id = resourceIdOf(resource);
    return formatConstructPlace(constructs.get(id) ?? id, resource.kind, path);
  };
}

/** Declarations as YAML: one document each, sorted, with the path of its construct as an annotation. */
export function formatProgramOutput({ resources, constructs, lock, renderers = [] }: ProgramOutput): string {
  const documents = resources.map((resource) => {
    const construct = constructs.get(resourceIdOf(resource)) ?? '';
    const annotations = { ...resource.metadata.annotations, [CONSTRUCT_ANNOTATION]: construct };
    return documentOf({ ...resource, metadata: { ...resource.metadata, annotations } });
  });
  const reads = lock === undefined ? '' : ` Its lock: ${JSON.stringify(lock)}`;
  const brings = renderers.length === 0 ? '' : ` Its renderers: ${JSON.stringify(renderers)}`;
  return formatDocuments(documents, `Written by a program for the fleetwright command.${brings}${reads}`);
}

const LOCK_COMMENT = /^# .* Its lock: (".*")\n/;

/** Directly behind the first sentence: the path of a lock may hold anything. */
const RENDERERS_COMMENT = /^# [\w ]+\. Its renderers: (\["[^"]*"(?:,"[^"]*")*\])/;

/** What is wrong with the declarations of a program, for the command line to tell. */
export function formatProgramProblems(problems: readonly Diagnostic[]): string {
  return `${JSON.stringify({ problems: problems.map(diagnosticDocument) })}\n`;
}

/**
 * Reads what a program emitted, however much it is.
 *
 * @throws FleetwrightError with the problems that the program found
 */
export function parseProgramOutput(text: string, path: string): ProgramOutput {
  if (text.startsWith('{')) {
    const { problems } = JSON.parse(text) as { problems: DiagnosticDocument[] };
    throw new FleetwrightError(problems.map(errorFrom));
  }
  const { resources, problems } = loadManifests([{ path, text }], UNLIMITED);
  if (problems.length > 0) throw new FleetwrightError(problems);
  const constructs = new Map(
    resources.map((one) => [
      resourceIdOf(one),
      one.metadata.annotations[CONSTRUCT_ANNOTATION] ?? resourceIdOf(one),
    ]),
  );
  const lock = LOCK_COMMENT.exec(text)?.[1];
  const renderers = RENDERERS_COMMENT.exec(text)?.[1];
  return {
    resources: resources.map(withoutConstruct),
    constructs,
    ...(lock !== undefined && { lock: JSON.parse(lock) as string }),
    ...(renderers !== undefined && { renderers: JSON.parse(renderers) as string[] }),
  };
}

function withoutConstruct(resource: Resource): Resource {
  const { [CONSTRUCT_ANNOTATION]: _, ...annotations } = resource.metadata.annotations;
  return { ...resource, metadata: { ...resource.metadata, annotations } };
}
