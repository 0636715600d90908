import { type Resource, resourceIdOf } from '../src/api/kinds';
import { attempt, problemsOf } from '../src/base/attempt';
import { type Diagnostic, errorAt } from '../src/base/diagnostic';
import { FleetwrightError } from '../src/base/errors';
import { sortedBy } from '../src/base/order';
import { toAbsolutePath } from '../src/files/fleet-paths';
import { type PartialFleetRule, type ResolvedFleet, resolveFleet } from '../src/files/read-fleet';
import { readProgramReferences } from '../src/files/referenced-files';
import { writeFileAtomic } from '../src/files/write-file';
import {
  createConstructLocator,
  EMIT_VARIABLE,
  formatProgramOutput,
  formatProgramProblems,
  type ProgramOutput,
} from '../src/manifest/program-output';
import { toUnreadDocument, type UnreadDocument } from '../src/manifest/unread-documents';
import { findDependencies, findFleet, type FleetScope, isFleet, ORDER_CHARTS_HINT } from './fleet-scope';
import { emitNoChartsIfRequested } from './emit-charts';
import { endProgram } from './end-program';
import { hasSettings, locateInConstruct, readProps } from './read-props';
import { DECLARED, isResourceConstruct, type ResourceConstruct } from './resource-construct';

/** All declarations of a fleet. */
interface Declarations extends ProgramOutput {
  /**
   * All problems of single declarations. If there are any, `resources` is incomplete or contains resources that must
   * not be used.
   */
  readonly problems: readonly Diagnostic[];

  /** The declarations that `resources` does not contain. */
  readonly unread: readonly UnreadDocument[];
}

/** Collects all declarations in a fleet, and the settings of the fleet itself. */
function collectDeclarations(fleet: FleetScope): Declarations {
  const declaring = fleet.node
    .findAll()
    .filter(isResourceConstruct)
    .filter((one) => findFleet(one) === fleet && (one !== fleet || hasSettings(fleet)));
  const resources = new Map<string, Resource>();
  const constructs = new Map<string, string>();
  const problems = checkDependencies(fleet);
  const unread: UnreadDocument[] = [];
  for (const construct of declaring) {
    const reading = readProps(construct);
    const findings = 'findings' in reading ? reading.findings : [];
    problems.push(...locateInConstruct(construct, findings));
    const resource = 'findings' in reading ? reading.loose : reading.resource;
    if (!resource) {
      unread.push(toUnreadDocument({ ...construct[DECLARED], metadata: { name: construct.name } }, findings));
      continue;
    }
    const id = resourceIdOf(resource);
    const first = constructs.get(id);
    if (first !== undefined) problems.push(duplicateProblem(construct, id, first));
    else {
      resources.set(id, resource);
      constructs.set(id, construct.node.path);
    }
  }
  return { resources: sortedBy(resources.values(), resourceIdOf), constructs, problems, unread };
}

function checkDependencies(fleet: FleetScope): Diagnostic[] {
  return [...findDependencies(fleet)].map(([where, what]) => errorAt('no-chart', where, what, ORDER_CHARTS_HINT));
}

function duplicateProblem({ node }: ResourceConstruct, id: string, first: string): Diagnostic {
  return errorAt(
    'duplicate-resource',
    node.path,
    `${id} is declared twice, first at ${first}`,
    'Rename or remove one of the two',
  );
}

/**
 * Resolves the fleet that constructs declare, with construct paths as positions. Referenced files are relative to the
 * working directory.
 *
 * @param rule an additional check of the readable parts if there are problems. Default: none
 * @throws FleetwrightError with all problems
 */
export function resolveProgramFleet(declarations: Declarations, rule?: PartialFleetRule): ResolvedFleet {
  const { resources, constructs, problems, unread } = declarations;
  const locate = createConstructLocator(constructs);
  const named = attempt(() => readProgramReferences(resources, locate, '.'));
  if ('problems' in named) throw new FleetwrightError([...problems, ...named.problems]);
  return resolveFleet({ resources, locate, ignored: [], problems, unread, ...named.value }, rule);
}

/** The properties of a program that the command line needs. */
interface ProgramInfo {
  /** The path of its lock, if it has one. */
  readonly lock: string | undefined;

  /** The names of its custom renderers. */
  readonly renderers: readonly string[];

  /** Whether the program adds charts. A stack registers its objects. */
  readonly hasCharts?: true;
}

/**
 * Collects the declarations of a fleet, which may be invalid. If the command line runs the program, emits them and
 * ends the program.
 */
export function collectOrEmitDeclarations(
  fleet: FleetScope,
  { lock, renderers, hasCharts }: ProgramInfo,
): Declarations {
  const declared = collectDeclarations(fleet);
  const declarations = { ...declared, renderers, ...(lock !== undefined && { lock: toAbsolutePath(lock) }) };
  emitIfRequested(fleet, declarations);
  if (!hasCharts) emitNoChartsIfRequested();
  return declarations;
}

/**
 * Writes the declarations for the command line that runs this program, if one does, and ends the program. Code after
 * `place()` is for direct runs.
 */
function emitIfRequested(fleet: FleetScope, declarations: Declarations): void {
  writeIfRequested(() => formatProgramEmission(fleet, declarations));
}

/** Reports why a program has no declarations to the command line that runs it, if one does, and ends the program. */
export function emitProblemIfRequested(problem: Diagnostic): void {
  writeIfRequested(() => formatProgramProblems([problem]));
}

function writeIfRequested(format: () => string): void {
  const file = process.env[EMIT_VARIABLE];
  if (!file) return;
  writeFileAtomic(file, format());
  endProgram();
}

function formatProgramEmission(fleet: FleetScope, declarations: Declarations): string {
  const { problems } = declarations;
  const others = fleet.node.root.node.findAll().filter((one) => isFleet(one) && one !== fleet);
  if (others.length > 0) {
    const { path } = fleet.node;
    const hint = 'Use one program for each fleet';
    const what = `the program has ${others.length + 1} fleets, and the command line plans one`;
    return formatProgramProblems([errorAt('many-fleets', path, what, hint)]);
  }
  if (problems.length === 0) return formatProgramOutput(declarations);
  return formatProgramProblems(problemsOf(attempt(() => resolveProgramFleet(declarations))));
}
