import type { PodTemplate } from '../api/pod-template';
import type { OwnContainer } from '../engine/own-containers';
import { type Amounts, amountsOf } from './amounts';
import type { ResourceName } from './shapes';

/** CPU and memory, in the units of the ledger. */
export type Requested = Readonly<Partial<Record<ResourceName, number>>>;

/** What the containers around an engine's request of a node. */
export interface Helpers {
  /** Of those that run beside the engine, together. */
  readonly beside: Requested;

  /** The most that a step of the start takes, with the sidecars that run by then. */
  readonly start: Requested;
}

const NAMES: readonly ResourceName[] = ['cpu', 'memory'];

/**
 * What the containers of a pod around its engine's request.
 *
 * @param own those that we put before the engine, and before those of the user
 */
export function helpersOf(
  { containers: [, ...others], initContainers = [] }: PodTemplate['spec'],
  own: readonly OwnContainer[],
): Helpers {
  const beside: Partial<Record<ResourceName, number>> = {};
  const start: Partial<Record<ResourceName, number>> = {};
  for (const name of NAMES) {
    let [running, peak] = [0, 0];
    for (const container of [...own, ...initContainers]) {
      const amount = requestOf(container, name);
      peak = Math.max(peak, running + amount);
      if (container.restartPolicy === 'Always') running += amount;
    }
    running += others.reduce((sum, container) => sum + requestOf(container, name), 0);
    if (running > 0) beside[name] = running;
    if (peak > 0) start[name] = peak;
  }
  return { beside, start };
}

/** What a pod requests, with what its engine's container does. As Kubernetes counts: the larger of start and run. */
export function withHelpers(engine: Requested, { beside, start }: Helpers): Requested {
  const counted = NAMES.map((name): [ResourceName, number] => [
    name,
    Math.max((engine[name] ?? 0) + (beside[name] ?? 0), start[name] ?? 0),
  ]);
  return Object.fromEntries(counted.filter(([, amount]) => amount > 0));
}

/** As Kubernetes has it: a limit alone is a request too. */
function requestOf(
  {
    resources: { requests, limits },
  }: { readonly resources: { readonly requests: Amounts; readonly limits: Amounts } },
  name: ResourceName,
): number {
  return amountsOf({ ...limits, ...requests })[name] ?? 0;
}
