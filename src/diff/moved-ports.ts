import type { ModelDeployment } from '../api/model-deployment';
import { servingOf } from '../engine/ports-and-probe-defaults';
import type { PortSwitch } from '../plan/replica-moves';
import { findAnsweringEngine } from '../routing/health-checks';
import { listBackendsOf, type Routing } from '../routing/routing';

/** Where the old pods of a replica run, and what is applied while they do. */
interface SwitchedReplica {
  readonly cluster: string;

  /** What its old pods run. */
  readonly was: ModelDeployment;

  /** What the change declares. */
  readonly is: ModelDeployment;
  readonly routing: Pick<Routing, 'edges'>;
}

/**
 * How a change of the serving port takes requests from old pods before new ones serve. Undefined: the port stays, or
 * Services find the port of each pod by its name.
 *
 * An endpoint picker asks one port of all pods, and is applied before any of them. A NetworkPolicy admits the new port
 * alone, and is applied with the workloads of its replica.
 */
export function findPortSwitch({ cluster, was, is, routing }: SwitchedReplica): PortSwitch | undefined {
  const [before, after] = [servingPortOf(was), servingPortOf(is)];
  if (before === after) return undefined;
  const isPicked = listBackendsOf(is, cluster, routing).some(({ picker }) => picker.kind === 'PrefixCache');
  if (isPicked) return { before, after, by: 'picker' };
  return is.spec.template.spec.networkPolicy.enabled ? { before, after, by: 'policy' } : undefined;
}

/** The port on which pods of a deployment answer requests. */
function servingPortOf(deployment: ModelDeployment): number {
  return servingOf(deployment, findAnsweringEngine(deployment)).port;
}
