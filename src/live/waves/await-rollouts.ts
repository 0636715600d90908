import { joinNames } from '../../base/text';
import { type ApiClientOptions, withApiClient } from '../client/api-client';
import type { ClusterAccess } from '../client/cluster-access';
import { UnreachableError } from '../client/unreachable-error';
import { type DeploymentKey, listWarnings, observeWorkloads } from './read-workloads';
import {
  formatWorkload,
  judgeRollout,
  type ObservedWorkloads,
  type RolloutState,
  type WorkloadRef,
} from './rollout-state';

/** Workloads of a deployment on one cluster that a wave waits for. */
export interface AwaitedWorkloads extends DeploymentKey {
  readonly cluster: string;
  readonly access: ClusterAccess;

  /** Workloads that must be ready. */
  readonly required: readonly AwaitedWorkload[];

  /** Workloads whose rollouts must not be under way. One that fails counts as down already. */
  readonly calm: readonly AwaitedWorkload[];
}

export interface AwaitedWorkload extends WorkloadRef {
  /** The generation that was applied. An older object is not what was applied. */
  readonly generation?: number | undefined;
}

export interface AwaitOptions extends ApiClientOptions {
  /** The time limit in milliseconds. */
  readonly deadline: number;

  /** The time in milliseconds, and a pause. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;

  /** Reports how far the rollouts are, each time that it changes. `failing`: something needs attention. */
  readonly report: (text: string, failing: boolean) => void;
}

/** How waiting ended. */
export interface AwaitResult {
  /** What is not ready though it must be. Empty: waves can go on. */
  readonly missing: readonly string[];

  /** What is still under way, although the time is over. */
  readonly restless: readonly string[];
}

/** The pauses between requests in milliseconds, the last one again and again. */
const PAUSES = [500, 1000, 1000, 2000, 2000, 5000];

/** The time for which a cluster may give no answer, in milliseconds: an API server that restarts is back by then. */
const MAX_SILENCE_MS = 60_000;

/** Waits until rollouts on clusters are complete. It ends earlier where one cannot complete. */
export async function awaitRollouts(targets: readonly AwaitedWorkloads[], options: AwaitOptions): Promise<AwaitResult> {
  const start = options.now();
  let [answered, said] = [start, ''];
  for (let round = 0; ; round++) {
    const found = (await Promise.all(targets.map((target) => look(target, options)))).flat();
    const now = options.now();
    if (found.every(({ state }) => state !== 'silent')) answered = now;
    const missing = found.filter(({ isRequired, state }) => isRequired && state !== 'ready');
    const restless = found.filter(({ isRequired, state }) => !isRequired && UNDER_WAY.has(state));
    const isOver = now - start > options.deadline || now - answered > MAX_SILENCE_MS;
    if (isOver || missing.length + restless.length === 0 || found.some(isHopeless)) return toResult(missing, restless);
    const text = formatProgress([...missing, ...restless]);
    if (text !== said)
      options.report(
        text,
        missing.some(({ state }) => state === 'failed' || state === 'silent'),
      );
    said = text;
    await options.sleep(PAUSES[Math.min(round, PAUSES.length - 1)] ?? 0);
  }
}

/** States of other workloads that end by themselves, so that a wave waits for them. */
const UNDER_WAY: ReadonlySet<Look['state']> = new Set(['rolling', 'silent', 'refused']);

/** Whether nothing is gained by waiting any longer. */
function isHopeless({ isRequired, state }: Look): boolean {
  return state === 'refused' || (isRequired && state === 'abandoned');
}

function toResult(missing: readonly Look[], restless: readonly Look[]): AwaitResult {
  return { missing: missing.map(({ text }) => text), restless: restless.map(({ text }) => text) };
}

/** One workload at one look, or a cluster that does not answer (`silent`) or does not allow to look (`refused`). */
interface Look {
  readonly isRequired: boolean;
  readonly state: RolloutState['state'] | 'silent' | 'refused';
  readonly text: string;
}

async function look(target: AwaitedWorkloads, options: AwaitOptions): Promise<readonly Look[]> {
  const { cluster, access, namespace, required } = target;
  const found = await withApiClient(access, options, async (api) => {
    const observed = await observeWorkloads(api, target);
    if ('why' in observed) return [toUnseen('refused', observed.why)];
    const looks = judgeAll(target, observed);
    const isExplained = looks.every(({ state }) => state === 'ready');
    return isExplained ? looks : judgeAll(target, { ...observed, events: await listWarnings(api, namespace) });
  });
  return found instanceof UnreachableError ? [toUnseen('silent', found.message)] : found;

  function toUnseen(state: Look['state'], why: string): Look {
    return { isRequired: required.length > 0, state, text: `${cluster}: ${why}` };
  }
}

function judgeAll({ cluster, required, calm }: AwaitedWorkloads, observed: ObservedWorkloads): Look[] {
  const judge = (isRequired: boolean) => (one: AwaitedWorkload) => {
    const object = observed.workloads.find(
      ({ kind, metadata }) => kind === one.kind && metadata.name === one.metadata.name,
    );
    const isOld = Number(object?.metadata['generation'] ?? 0) < (one.generation ?? 0);
    const { state, text } = judgeRollout(isOld ? undefined : object, observed);
    return { isRequired, state, text: `${cluster}: ${formatWorkload(one)}: ${text}` };
  };
  return [...required.map(judge(true)), ...calm.map(judge(false))];
}

const MAX_NAMED = 3;

function formatProgress(looks: readonly Look[]): string {
  return joinNames(
    looks.map(({ text }) => text),
    MAX_NAMED,
    '. ',
  );
}
