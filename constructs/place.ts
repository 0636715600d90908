import type { Chart } from 'cdk8s';
import { both } from '../src/attempt';
import { FleetwrightError } from '../src/errors';
import { programArguments } from '../src/files/program-folder';
import { readFileIfThere } from '../src/files/read-file';
import { decide } from '../src/plan/decide';
import type { Plan } from '../src/plan/plan';
import { denied, staleLock, unplaced } from '../src/plan/refusals';
import type { Renderer } from '../src/render/renderer';
import { rendererAmong } from '../src/render/renderers';
import { EMPTY_LOCK, type Lock } from '../src/scheduler/lock';
import { parseLock } from '../src/scheduler/lock-parse';
import { addCharts } from './charts';
import { declarationsHere } from './emit';
import type { FleetScope } from './fleet-of';
import { judgeProgram } from './judge-program';
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
  const declarations = declarationsHere(fleet, { lock: path, renderers: renderers.map(({ name }) => name) });
  const [judged, lock] = both(
    () => judgeProgram(declarations),
    () => (path === undefined ? EMPTY_LOCK : readLock(path)),
  );
  const decision = decide(judged.fleet, judged.locate, lock, { ...judged, renderers });
  const target = { lock: path, command: programArguments(path) };
  const stale = decision.stale && path !== undefined ? [staleLock(target, false)] : [];
  const { plan } = decision;
  const problems = [...stale, ...denied(plan), ...unplaced(plan, fleet.node.path, target)];
  if (problems.length > 0) throw new FleetwrightError(problems);
  const charts = addCharts(fleet.node.scope ?? fleet, decision);
  fleet.node.addValidation({ validate: () => outputMistakes(charts) });
  return { charts, plan, lock: decision.lock };
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

function refused(where: string, what: string, hint: string): FleetwrightError {
  return new FleetwrightError([{ code: 'bad-place', where, what, hint }]);
}
