import { log, type Resource } from '@pulumi/pulumi';
import { type Diagnostic, formatDiagnostic } from '../../src/base/diagnostic';
import { groupBy } from '../../src/base/order';
import { type AwaitedWorkload, type AwaitedWorkloads, awaitRollouts } from '../../src/live/waves/await-rollouts';
import { deploymentKeyOf, formatDeploymentKey } from '../../src/live/waves/read-workloads';
import { type Effect, effectOf, listReplicas } from '../../src/live/waves/replaced-workloads';
import { reportNotReady, warnOthersNotReady } from '../../src/live/waves/wave-messages';
import type { Manifest } from '../../src/manifest/kubernetes/manifest';
import { rolloutSecondsOf, waveOf } from '../../src/render/rollout-waves';
import { API_OPTIONS } from './cluster-checks';
import { toRunError } from '../runtime/run-error';
import { type RunningWorkloads, sleep } from './running-workloads';

/** A workload of a stack. */
interface Member {
  readonly running: Promise<RunningWorkloads>;
  readonly manifest: Manifest;

  /** The place of its cluster among those of the stack, and its wave on the cluster. */
  readonly turn: readonly [cluster: number, wave: number];
  readonly effect: Promise<Effect>;

  /** The generation of the applied object. */
  applied?: Promise<number | undefined>;
}

/** A member after its cluster was asked. */
interface KnownMember {
  readonly manifest: Manifest;
  readonly running: RunningWorkloads;
  readonly effect: Effect;
  readonly generation?: number | undefined;
}

/** The gates of one cluster. */
export interface ClusterGates {
  /** What runs on the cluster. */
  readonly running: Promise<RunningWorkloads>;

  /** The gate before a workload. */
  readonly before: (manifest: Manifest, applied: Promise<Manifest>) => Gate;

  /** Becomes true when the last waves are ready. */
  readonly finished: () => Promise<unknown>;
}

export interface Gate {
  /** Is fulfilled when the workload can be applied. */
  readonly opened: Promise<unknown>;

  /** Takes the generation of the applied object. */
  readonly applied: (generation: Promise<number | undefined>) => void;
}

/**
 * Keeps replicas of a deployment from being replaced together: a workload whose pods are replaced is applied only when
 * those of earlier waves are ready and no rollout of others is under way. The clusters of a stack take turns.
 *
 * The program asks the API servers itself, in each update, so nothing depends on what an earlier update recorded
 * or on whether it completed. A dynamic resource would record that it has waited, so it would not wait again where its
 * inputs are the same, and its inputs would have kubeconfigs in the state.
 */
export class WaveGates {
  readonly #members: Member[] = [];
  readonly #clusters: Promise<RunningWorkloads>[] = [];
  readonly #turns = new Map<string, Promise<void>>();
  #finished: Promise<unknown> | undefined;

  constructor(private readonly parent: Resource) {}

  /** Adds a cluster, whose turn comes after the clusters before. */
  addCluster(running: Promise<RunningWorkloads>): ClusterGates {
    const place = this.#clusters.push(running);
    return {
      running,
      before: (manifest, applied) => this.#open({ running, manifest, turn: [place, waveOf(manifest)] }, applied),
      finished: () => (this.#finished ??= this.#finish()),
    };
  }

  #open(workload: Omit<Member, 'effect'>, applied: Promise<Manifest>): Gate {
    const effect = Promise.all([applied, workload.running]).then(([manifest, { access, objects }]) =>
      // Where no cluster answers, the provider fails too.
      access ? effectOf(manifest, objects) : 'same',
    );
    const member: Member = { ...workload, effect };
    this.#members.push(member);
    return {
      opened: effect.then((one) => (one === 'replaced' ? this.#takeTurn(member) : undefined)),
      applied: (generation) => void Object.assign(member, { applied: generation }),
    };
  }

  /** All workloads of a deployment that are replaced in the same turn wait for the same. */
  #takeTurn({ manifest, turn }: Member): Promise<void> {
    const deployment = keyOf(manifest);
    const key = [deployment, ...turn].join(' ');
    const known = this.#turns.get(key) ?? this.#awaitTurn(deployment, turn);
    this.#turns.set(key, known);
    return known;
  }

  async #awaitTurn(deployment: string, turn: Member['turn']): Promise<void> {
    const all = this.#members.filter(({ manifest }) => keyOf(manifest) === deployment);
    const earlier = await Promise.all(all.filter((one) => isBefore(one.turn, turn)).map(toApplied));
    const later = await Promise.all(all.filter((one) => isBefore(turn, one.turn)).map(toKnown));
    // A replica that is new did not serve before.
    rejectAny(await this.#findUnready(earlier.filter(isOld), later.filter(isOld)));
  }

  /**
   * Waits for the last waves, also those of an earlier update that did not become ready. Pulumi deletes after the
   * program has ended, and what it deletes serves until then.
   */
  async #finish(): Promise<void> {
    const members = await Promise.all(this.#members.map(toApplied));
    const running = await Promise.all(this.#clusters);
    const replicas = groupBy(
      [
        ...members.map(({ manifest, running: { cluster } }) => ({ cluster, object: manifest })),
        ...running.flatMap(({ cluster, objects = [] }) => objects.map((object) => ({ cluster, object }))),
      ],
      ({ object }) => keyOf(object),
    );
    const rolling = groupBy(
      members.filter(({ effect }) => effect === 'replaced' || effect === 'unfinished'),
      ({ manifest }) => keyOf(manifest),
    );
    const awaited = [...rolling].filter(([deployment]) => listReplicas(replicas.get(deployment) ?? []).length > 1);
    const problems = await Promise.all(awaited.map(([, all]) => this.#findUnready(all, [])));
    rejectAny(problems.flat());
  }

  /** Waits for workloads, and returns the problem of those that do not become ready. */
  async #findUnready(required: readonly KnownMember[], calm: readonly KnownMember[]): Promise<readonly Diagnostic[]> {
    const targets = toTargets(required, calm);
    const [first] = targets;
    if (!first) return [];
    const seconds = Math.max(...[...required, ...calm].map(({ manifest }) => rolloutSecondsOf(manifest)));
    const name = formatDeploymentKey(first);
    const { missing, restless } = await awaitRollouts(targets, {
      ...API_OPTIONS,
      deadline: seconds * 1000,
      now: Date.now,
      sleep,
      report: (text, failing) => void log.info(`${name} waits: ${text}`, this.parent, undefined, !failing),
    });
    if (missing.length > 0) return [reportNotReady(name, missing)];
    if (restless.length > 0) await log.warn(formatDiagnostic(warnOthersNotReady(name, restless)), this.parent);
    return [];
  }
}

function rejectAny(problems: readonly Diagnostic[]): void {
  if (problems.length > 0) throw toRunError(problems);
}

function keyOf(object: Parameters<typeof deploymentKeyOf>[0]): string {
  return formatDeploymentKey(deploymentKeyOf(object));
}

function isBefore([cluster, wave]: Member['turn'], [otherCluster, otherWave]: Member['turn']): boolean {
  return cluster === otherCluster ? wave < otherWave : cluster < otherCluster;
}

async function toKnown({ manifest, running, effect }: Member): Promise<KnownMember> {
  return { manifest, running: await running, effect: await effect };
}

async function toApplied(member: Member): Promise<KnownMember> {
  return { ...(await toKnown(member)), generation: await member.applied };
}

function isOld({ effect }: KnownMember): boolean {
  return effect !== 'new';
}

/** What to ask each cluster. Clusters without a connection are not asked. */
function toTargets(required: readonly KnownMember[], calm: readonly KnownMember[]): AwaitedWorkloads[] {
  const byCluster = groupBy([...required, ...calm], ({ running: { cluster } }) => cluster);
  return [...byCluster.values()].flatMap((members) => {
    const [first] = members;
    const access = first?.running.access;
    if (!first || !access) return [];
    const on = (all: readonly KnownMember[]): AwaitedWorkload[] =>
      members.filter((one) => all.includes(one)).map(({ manifest, generation }) => ({ ...manifest, generation }));
    const { cluster } = first.running;
    return [{ ...deploymentKeyOf(first.manifest), cluster, access, required: on(required), calm: on(calm) }];
  });
}
