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
import { hasSettings, locateFindings, readProps } from './read-props';
import { DECLARED, isResourceConstruct, type ResourceConstruct } from './resource-construct';

/** Everything that a fleet declares. */
interface Declarations extends ProgramOutput {
  /**
   * Everything wrong with single declarations. If there is something, `resources` is incomplete, or has some that must
   * not be used.
   */
  readonly problems: readonly Diagnostic[];

  /** The declarations that are missing in `resources`. */
  readonly unread: readonly UnreadDocument[];
}

/** Reads everything that is declared below a fleet, and the settings of the fleet itself. */
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
    problems.push(...locateFindings(construct, findings));
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
  return [...findDependencies(fleet)].map(([where, what]) =>
    errorAt('no-chart', where, what, ORDER_CHARTS_HINT),
  );
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
 * The fleet that constructs declare, found by construct paths. Files that they name are looked up from the working
 * directory.
 *
 * @param rule asked where something is wrong, of all that could be read. Default: none
 * @throws FleetwrightError with everything that is wrong
 */
export function resolveProgramFleet(declarations: Declarations, rule?: PartialFleetRule): ResolvedFleet {
  const { resources, constructs, problems, unread } = declarations;
  const locate = createConstructLocator(constructs);
  const named = attempt(() => readProgramReferences(resources, locate, '.'));
  if ('problems' in named) throw new FleetwrightError([...problems, ...named.problems]);
  return resolveFleet({ resources, locate, ignored: [], problems, unread, ...named.value }, rule);
}

/** What else the command line has to know of a program. */
interface ProgramInfo {
  /** The path of the lock that it reads, if it reads one. */
  readonly lock: string | undefined;

  /** The names of the renderers that it brings. */
  readonly renderers: readonly string[];
}

/** The declarations of a fleet, which may be wrong. They end here where the command line has asked for them. */
export function collectOrEmitDeclarations(fleet: FleetScope, { lock, renderers }: ProgramInfo): Declarations {
  const declared = collectDeclarations(fleet);
  const declarations = { ...declared, renderers, ...(lock !== undefined && { lock: toAbsolutePath(lock) }) };
  emitIfAsked(fleet, declarations);
  return declarations;
}

/**
 * Hands the declarations to the command line that runs this program, if one does, and ends the program: what
 * follows `place()` is for those who run it themselves.
 */
function emitIfAsked(fleet: FleetScope, declarations: Declarations): void {
  const file = process.env[EMIT_VARIABLE];
  if (!file) return;
  writeFileAtomic(file, formatProgramEmission(fleet, declarations));
  process.exit(0);
}

function formatProgramEmission(fleet: FleetScope, declarations: Declarations): string {
  const { problems } = declarations;
  const others = fleet.node.root.node.findAll().filter((one) => isFleet(one) && one !== fleet);
  if (others.length > 0) {
    const { path } = fleet.node;
    const hint = 'Give each fleet a program of its own';
    const what = `the program has ${others.length + 1} fleets, and the command line plans one`;
    return formatProgramProblems([errorAt('many-fleets', path, what, hint)]);
  }
  if (problems.length === 0) return formatProgramOutput(declarations);
  return formatProgramProblems(problemsOf(attempt(() => resolveProgramFleet(declarations))));
}
