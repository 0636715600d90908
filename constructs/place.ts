import type { Chart } from 'cdk8s';
import { attemptBoth } from '../src/base/attempt';
import { errorAt } from '../src/base/diagnostic';
import { FleetwrightError } from '../src/base/errors';
import { formatProgramArguments } from '../src/files/fleet-paths';
import { readTextFileIfExists } from '../src/files/read-file';
import { diagnoseDenials, diagnoseOutOfDateLock } from '../src/plan/apply-blockers';
import { decide } from '../src/plan/decide';
import type { Plan } from '../src/plan/plan';
import type { Renderer } from '../src/render/renderer';
import { createRendererSelector } from '../src/render/renderers';
import { toShortfallProblems } from '../src/report/plan/plan-annotations';
import { EMPTY_LOCK, type Lock } from '../src/scheduler/lock/lock';
import { parseLock } from '../src/scheduler/lock/parse-lock';
import { addCharts, validateOutputType } from './charts';
import { collectOrEmitDeclarations, resolveProgramFleet } from './declarations';
import { emitChartsIfRequested, findRequestedLock } from './emit-charts';
import type { FleetScope } from './fleet-scope';
import type { InferenceCluster } from './inference-cluster';
import type { Cdk8sPlus } from './references/cdk8s-plus';
import { type ClusterReferences, createReferences } from './references/cluster-references';

/** Options of placing a fleet. */
export interface PlaceOptions {
  /**
   * The path of the lock file, relative to the working directory. It must be up to date: `fleetwright lock` writes
   * it. With `'ephemeral'`, no lock is read and everything is decided again, for temporary fleets.
   */
  readonly lock: string;

  /**
   * Custom renderers of replicas, in the order of precedence. The command line does not have them: `plan` and
   * `lock` go without, and `synth` writes what the charts of the program contain.
   *
   * @default - none
   */
  readonly renderers?: readonly Renderer[];
}

/** The result of placing a fleet. */
export interface Placed {
  /** The chart of each cluster with objects, by the name of the cluster. */
  readonly charts: ReadonlyMap<string, Chart>;

  /** The plan and the changes that it makes. */
  readonly plan: Plan;

  /** The location of every replica. */
  readonly lock: Lock;

  /**
   * Hands out what runs on a cluster as references of cdk8s-plus, so that your own Ingress, backup, autoscaler or Role
   * names it without strings. Pass the library that your program uses.
   *
   * @param plus cdk8s-plus: `import * as kplus from 'cdk8s-plus-30'`
   * @param cluster the cluster, or its name
   * @throws FleetwrightError when the cluster has no objects
   * @example
   * const { references } = fleet.place({ lock: 'ephemeral' });
   * references(kplus, 'us').deployment(deployment).service.name;
   */
  readonly references: <P extends Cdk8sPlus>(plus: P, cluster: InferenceCluster | string) => ClusterReferences<P>;
}

/** Places a fleet and adds its charts. See `Fleet.place`. */
export function placeScope(fleet: FleetScope, options: PlaceOptions): Placed {
  const path = findRequestedLock(lockPathOf(fleet, options));
  const renderers = options.renderers ?? [];
  createRendererSelector(renderers);
  const declarations = collectOrEmitDeclarations(fleet, {
    lock: path,
    renderers: renderers.map(({ name }) => name),
    hasCharts: true,
  });
  const [resolved, lock] = attemptBoth(
    () => resolveProgramFleet(declarations),
    () => (path === undefined ? EMPTY_LOCK : readLock(path)),
  );
  const decision = decide(resolved.fleet, resolved.locate, lock ?? EMPTY_LOCK, { ...resolved, renderers });
  const target = { lock: path, command: formatProgramArguments(path) };
  const outOfDate =
    decision.outOfDate && path !== undefined ? [diagnoseOutOfDateLock(target, !lock, decision.changed)] : [];
  const { plan } = decision;
  const problems = [...outOfDate, ...diagnoseDenials(plan), ...toShortfallProblems({ ...resolved, plan })];
  if (problems.length > 0) throw new FleetwrightError(problems);
  const charts = addCharts(fleet.node.scope ?? fleet, decision);
  fleet.node.addValidation({ validate: () => validateOutputType(charts) });
  emitChartsIfRequested(fleet, charts);
  return { charts, plan, lock: decision.lock, references: createReferences({ decision, charts }) };
}

/** The path of the lock. Undefined for an ephemeral fleet. */
function lockPathOf(fleet: FleetScope, options: unknown): string | undefined {
  const { path } = fleet.node;
  if (fleet.isPlaced) {
    throw badPlaceError(path, 'the fleet is placed already', 'Call place() once, after everything is declared');
  }
  const lock: unknown = typeof options === 'object' && options !== null ? Reflect.get(options, 'lock') : undefined;
  if (typeof lock === 'string' && lock !== '') return lock === 'ephemeral' ? undefined : lock;
  throw badPlaceError(path, 'place() needs a lock file', "Pass { lock: 'fleet.lock.yaml' } or { lock: 'ephemeral' }");
}

/** Undefined if the file does not exist. */
function readLock(path: string): Lock | undefined {
  const text = readTextFileIfExists(path);
  return text === undefined ? undefined : parseLock(text, path);
}

function badPlaceError(where: string, what: string, hint: string): FleetwrightError {
  return new FleetwrightError([errorAt('bad-place', where, what, hint)]);
}
