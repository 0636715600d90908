import type { Chart } from 'cdk8s';
import { FleetwrightError, type Problem } from '../src/errors';
import { programArguments } from '../src/files/program-folder';
import { namedByProgram } from '../src/files/named-files';
import { readFileIfThere } from '../src/files/read-file';
import { judgeSnapshots } from '../src/files/snapshots';
import { assemble } from '../src/fleet';
import { readHardware } from '../src/hardware/read-hardware';
import { constructLocator } from '../src/manifest/emission';
import { type Decision, decide } from '../src/plan/decide';
import type { Plan } from '../src/plan/plan';
import type { Renderer } from '../src/render/renderer';
import { rendererAmong } from '../src/render/renderers';
import { EMPTY_LOCK, type Lock } from '../src/scheduler/lock';
import { parseLock } from '../src/scheduler/lock-parse';
import { addCharts } from './charts';
import type { Declarations } from './declarations';
import { soundDeclarations } from './emit';
import type { FleetScope } from './fleet-of';
import { outputMistakes } from './output';

/** How to place a fleet. */
export interface PlaceOptions {
  /**
   * The path of the lock file, relative to the working directory. It has to be up to date: `fleetwright lock`
   * writes it. With `'ephemeral'` none is read and everything is decided afresh, for fleets that are thrown away.
   */
  readonly lock: string;

  /**
   * What renders replicas beside ours, asked in this order. The command line has none of them: it plans and locks
   * such a program, and leaves the manifests to it.
   *
   * @default - none
   */
  readonly renderers?: readonly Renderer[];
}

/** A fleet that is placed. */
export interface Placed {
  /** The chart of each cluster on which something lands, by the name of the cluster. */
  readonly charts: ReadonlyMap<string, Chart>;

  /** What was decided, and what it changes. */
  readonly plan: Plan;

  /** Where every replica stands. */
  readonly lock: Lock;
}

/** Decides a fleet and adds its charts. See `Fleet.place`. */
export function place(fleet: FleetScope, options: PlaceOptions): Placed {
  const path = lockPath(fleet, options);
  const renderers = options.renderers ?? [];
  rendererAmong(renderers);
  const declarations = soundDeclarations(fleet, { lock: path, renderers: renderers.map(({ name }) => name) });
  const decision = decided(declarations, path === undefined ? EMPTY_LOCK : readLock(path), renderers);
  const problems = [...staleness(decision, path), ...shortfalls(fleet, decision, path)];
  if (problems.length > 0) throw new FleetwrightError(problems);
  const charts = addCharts(fleet.node.scope ?? fleet, decision);
  fleet.node.addValidation({ validate: () => outputMistakes(charts) });
  return { charts, plan: decision.plan, lock: decision.lock };
}

/** The lock to read; nothing for a fleet that has none. */
function lockPath(fleet: FleetScope, options: unknown): string | undefined {
  const { path } = fleet.node;
  if (fleet.isPlaced) {
    throw refused(path, 'the fleet is placed already', 'Call place() once, after everything is declared');
  }
  const lock: unknown =
    typeof options === 'object' && options !== null ? Reflect.get(options, 'lock') : undefined;
  if (typeof lock === 'string' && lock !== '') return lock === 'ephemeral' ? undefined : lock;
  throw refused(
    path,
    'place() needs to know the lock',
    "Pass { lock: 'fleet.lock.yaml' } or { lock: 'ephemeral' }",
  );
}

function readLock(path: string): Lock {
  const text = readFileIfThere(path);
  return text === undefined ? EMPTY_LOCK : parseLock(text, path);
}

function decided(
  { resources, constructs }: Declarations,
  lock: Lock,
  renderers: readonly Renderer[],
): Decision {
  const locate = constructLocator(constructs);
  const named = namedByProgram(resources, locate, '.');
  const { hardware, problems } = readHardware(named, resources);
  const all = [...named.problems, ...problems];
  if (all.length > 0) throw new FleetwrightError(all);
  const seen = judgeSnapshots(assemble(resources, hardware), named.snapshots, locate);
  return decide(seen.fleet, locate, lock, { ...seen, renderers });
}

function staleness({ stale }: Decision, path: string | undefined): Problem[] {
  if (!stale || path === undefined) return [];
  const program = programArguments(path);
  const what = 'the lock does not say what would be decided now';
  const hint = `Look at 'fleetwright plan ${program}', then run 'fleetwright lock ${program}'`;
  return [{ code: 'stale-lock', where: path, what, hint }];
}

function shortfalls({ node }: FleetScope, { plan }: Decision, path: string | undefined): Problem[] {
  return plan.deployments.flatMap(({ deployment, replicas, shortfall }) => {
    if (!shortfall || shortfall.accepted) return [];
    const what = `${shortfall.missing} of ${replicas} replicas of ${deployment} have no place`;
    const hint = `Run 'fleetwright explain ${deployment} ${programArguments(path)}' to see why`;
    return [{ code: 'unplaced', where: node.path, what, hint }];
  });
}

function refused(where: string, what: string, hint: string): FleetwrightError {
  return new FleetwrightError([{ code: 'bad-place', where, what, hint }]);
}
