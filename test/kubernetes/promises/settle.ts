import type { KubeObject } from '../harness/client';
import { sleep } from '../harness/concurrently';
import { isOf, type Promised } from './expected';
import type { Site } from './site';

/** Pods that the plan placed and the cluster did not. */
export interface Pending {
  readonly promised: Promised;
  readonly missing: number;

  /** What the scheduler says of one of them. */
  readonly message: string;

  /** Whether the scheduler has found no node for one of them. Otherwise, it or a controller is not done with them. */
  readonly refused: boolean;
}

/** No scheduler needs so long for the few pods of a cluster, whatever else it is at. */
const PATIENCE = 90_000;

/** How many times longer to wait where the scheduler has refused no pod: a busy machine delays the control plane. */
const WITHOUT_REFUSAL = 3;

/** How long nothing may change: controllers are a little behind what they were asked for. */
const CALM = 500;

/**
 * Waits until every promised pod runs and no other is left, and returns what is still missing when nothing has
 * changed for a long time.
 */
export async function settle(site: Site, promised: readonly Promised[], patience = PATIENCE): Promise<Pending[]> {
  let before = '';
  let since = Date.now();
  for (;;) {
    const pods = site.podsHere();
    const pending = promised.flatMap((one) => pendingOf(one, site, pods));
    const running = promised.reduce((sum, one) => sum + one.pods, 0);
    const now = pods.map(({ metadata, spec }) => `${metadata.uid}${String(spec?.['nodeName'])}`).join();
    if (now !== before) since = Date.now();
    before = now;
    if (pending.length === 0 && pods.length === running && Date.now() - since > CALM) return [];
    const factor = pending.some(({ refused }) => refused) ? 1 : WITHOUT_REFUSAL;
    if (Date.now() - since > patience * factor) {
      return pending.length > 0 ? pending : [leftovers(promised, pods)];
    }
    await sleep(50);
  }
}

function pendingOf(promised: Promised, site: Site, pods: readonly KubeObject[]): Pending[] {
  const own = pods.filter(
    (pod) => pod.metadata.namespace === site.namespace(promised.namespace) && isOf(promised, pod),
  );
  const running = own.filter(
    ({ metadata, status }) => metadata.deletionTimestamp === undefined && status?.['phase'] === 'Running',
  );
  const missing = promised.pods - running.length;
  if (missing <= 0) return [];
  const unbound = own.find(({ spec }) => !spec?.['nodeName']);
  const message = unbound ? scheduling(unbound) : 'there is no such pod';
  return [{ promised, missing, message, refused: own.some(isRefused) }];
}

/** Whether the scheduler has looked at a pod, and found no node for it. */
export function isRefused(pod: KubeObject): boolean {
  return conditionOf(pod)?.status === 'False';
}

/** The scheduler's message about a pod that it has not bound. */
export function scheduling(pod: KubeObject): string {
  const found = conditionOf(pod);
  return found ? `${found.reason}: ${found.message}` : 'the scheduler has not seen it yet';
}

function conditionOf({ status }: KubeObject) {
  const conditions = (status?.['conditions'] ?? []) as Condition[];
  return conditions.find(({ type }) => type === 'PodScheduled');
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

function leftovers(promised: readonly Promised[], pods: readonly KubeObject[]): Pending {
  const states = pods.map(({ metadata: { name, deletionTimestamp: since }, spec, status }) => {
    const phase = since === undefined ? status?.['phase'] : `Terminating since ${since}`;
    return `${name} on ${spec?.['nodeName']} (${phase})`;
  });
  return {
    promised: promised[0]!,
    missing: 0,
    refused: false,
    message: `pods that the plan does not have are not deleted: ${states.join(', ')}`,
  };
}
