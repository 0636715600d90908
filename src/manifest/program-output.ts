import { formatConstructPlace } from '../api/construct-props';
import { type Locate, type Resource, resourceIdOf } from '../api/kinds';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { toDiagnosticDocument, errorFrom, isDiagnosticDocument } from '../base/diagnostic-document';
import { FleetwrightError } from '../base/errors';
import { listAt, tryParseJson } from '../base/json';
import { documentOf } from './canonical-document';
import { formatDocuments } from './format-yaml';
import { UNLIMITED } from './input-limits';
import { loadManifests } from './load-manifests';

/** The environment variable that names the file to which a program writes its declarations instead of continuing. */
export const EMIT_VARIABLE = 'FLEETWRIGHT_EMIT';

/** The annotation, on emitted resources, with the path of the construct that declared the resource. */
const CONSTRUCT_ANNOTATION = 'fleetwright.dev/construct';

/** The declarations of a program, as it emits them for the command line. */
export interface ProgramOutput {
  readonly resources: readonly Resource[];

  /** The paths of the constructs, by `resourceIdOf`. */
  readonly constructs: ReadonlyMap<string, string>;

  /** The absolute path of the lock that the program reads. Absent if it reads none. */
  readonly lock?: string;

  /** The names of the renderers that the program adds, which the command line does not have. */
  readonly renderers?: readonly string[];
}

/** Creates a locator for resources that constructs declare, from the construct paths by `resourceIdOf`. */
export function createConstructLocator(constructs: ReadonlyMap<string, string>): Locate {
  return (resource, path) => {
    const id = resourceIdOf(resource);
    return formatConstructPlace(constructs.get(id) ?? id, resource.kind, path);
  };
}

/** Formats declarations as YAML: one document for each resource, with the path of its construct as an annotation. */
export function formatProgramOutput({ resources, constructs, lock, renderers = [] }: ProgramOutput): string {
  const documents = resources.map((resource) => {
    const construct = constructs.get(resourceIdOf(resource)) ?? '';
    const annotations = { ...resource.metadata.annotations, [CONSTRUCT_ANNOTATION]: construct };
    return documentOf({ ...resource, metadata: { ...resource.metadata, annotations } });
  });
  const lockNote = lock === undefined ? '' : `${LOCK_NOTE}${JSON.stringify(lock)}`;
  const rendererNote = renderers.length === 0 ? '' : ` Its renderers: ${JSON.stringify(renderers)}`;
  return formatDocuments(documents, `Written by a program for the fleetwright command.${rendererNote}${lockNote}`);
}

const LOCK_NOTE = ' Its lock: ';

/** Matches only directly behind the first sentence: the path of a lock can contain any text. */
const RENDERERS_COMMENT = /^# [\w ]+\. Its renderers: (\["[^"]*"(?:,"[^"]*")*\])/;

/** Formats the problems of a program's declarations, for the command line to report. */
export function formatProgramProblems(problems: readonly Diagnostic[]): string {
  return `${JSON.stringify({ problems: problems.map(toDiagnosticDocument) })}\n`;
}

/**
 * Parses the output of a program, of any size.
 *
 * @throws FleetwrightError with the problems that the program found
 */
export function parseProgramOutput(text: string, path: string): ProgramOutput {
  if (text.startsWith('{')) throw new FleetwrightError(parseProgramProblems(text) ?? [unknownOutputProblem(path)]);
  const { resources, problems } = loadManifests([{ path, text }], UNLIMITED);
  if (problems.length > 0) throw new FleetwrightError(problems);
  const constructs = new Map(
    resources.map((one) => [resourceIdOf(one), one.metadata.annotations[CONSTRUCT_ANNOTATION] ?? resourceIdOf(one)]),
  );
  const lock = parseNote(findLockNote(text), isPath, path);
  const renderers = parseNote(RENDERERS_COMMENT.exec(text)?.[1], isTextList, path);
  return {
    resources: resources.map(withoutConstruct),
    constructs,
    ...(lock !== undefined && { lock }),
    ...(renderers !== undefined && { renderers }),
  };
}

/** Parses the problems that a program reports. Undefined if the text is something else. */
function parseProgramProblems(text: string): Diagnostic[] | undefined {
  const problems = listAt(tryParseJson(text), ['problems']);
  return problems.length > 0 && problems.every(isDiagnosticDocument) ? problems.map(errorFrom) : undefined;
}

/** The path of the lock as JSON, at the end of the first line. */
function findLockNote(text: string): string | undefined {
  const line = text.slice(0, Math.max(text.indexOf('\n'), 0));
  const start = line.lastIndexOf(`${LOCK_NOTE}"`);
  return line.startsWith('# ') && start > 0 && line.endsWith('"') ? line.slice(start + LOCK_NOTE.length) : undefined;
}

/** Parses the JSON of a note. Undefined if there is no note. */
function parseNote<T>(json: string | undefined, isValid: (value: unknown) => value is T, path: string): T | undefined {
  if (json === undefined) return undefined;
  const value = tryParseJson(json);
  if (isValid(value)) return value;
  throw new FleetwrightError([unknownOutputProblem(path)]);
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.includes('\0');
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function unknownOutputProblem(path: string): Diagnostic {
  const what = `the program wrote something other than declarations to ${EMIT_VARIABLE}`;
  return errorAt('program-failed', path, what, 'Leave that file to place() of its Fleet');
}

function withoutConstruct(resource: Resource): Resource {
  const { [CONSTRUCT_ANNOTATION]: _, ...annotations } = resource.metadata.annotations;
  return { ...resource, metadata: { ...resource.metadata, annotations } };
}
