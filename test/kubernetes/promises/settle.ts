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
}

/** No scheduler needs so long for the few pods of a cluster, whatever else it is at. */
const PATIENCE = 45_000;

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
    if (Date.now() - since > patience) return pending.length > 0 ? pending : [leftovers(promised, pods)];
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
  return [{ promised, missing, message: unbound ? scheduling(unbound) : 'there is no such pod' }];
}

/** The scheduler's message about a pod that it has not bound. */
export function scheduling({ status }: KubeObject): string {
  const conditions = (status?.['conditions'] ?? []) as { type: string; reason?: string; message?: string }[];
  const found = conditions.find(({ type }) => type === 'PodScheduled');
  return found ? `${found.reason}: ${found.message}` : 'the scheduler has not seen it yet';
}

function leftovers(promised: readonly Promised[], pods: readonly KubeObject[]): Pending {
  const states = pods.map(({ metadata: { name, deletionTimestamp: since }, spec, status }) => {
    const phase = since === undefined ? status?.['phase'] : `Terminating since ${since}`;
    return `${name} on ${spec?.['nodeName']} (${phase})`;
  });
  return {
    promised: promised[0]!,
    missing: 0,
    message: `pods that nobody promised do not go away: ${states.join(', ')}`,
  };
}
