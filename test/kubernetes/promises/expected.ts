import type { KubeObject } from '../harness/client';
import type { EngineSpec, FleetSpec, RequestSpec } from './fleets';
import type { KindName } from './kinds';
import type { Planned } from './plan';

/** Pods that the plan promises: alike, of one engine of one replica. */
export interface Promised {
  readonly cluster: string;

  /** As the product's labels say it: deployment, replica index, engine, role. */
  readonly labels: Readonly<Record<string, string>>;
  readonly namespace: string;
  readonly pods: number;
  readonly pool: string;

  /** What each must hold, as the fleet declares it. Empty: nothing. */
  readonly requests: readonly RequestSpec[];

  /** Whether each holds it by claim. Otherwise by the number of each extended resource. */
  readonly dra: boolean;

  /** The kinds of device that nodes of the pool have. */
  readonly kinds: readonly KindName[];
}

const PREFIX = 'fleetwright.dev/';

/** Every pod that a plan promises, from the declarations and the placements alone. */
export function promisedBy({ schedule }: Planned, spec: FleetSpec): Promised[] {
  return schedule.placements.flatMap(({ deployment, cluster, index, pools }) => {
    const [namespace = '', name = ''] = deployment.split('/');
    const engines = spec.deployments.find(({ id }) => id === deployment)?.engines ?? [];
    return engines.flatMap((engine, e) =>
      membersOf(engine).map(({ role, pods, requests }) => ({
        cluster,
        namespace,
        labels: {
          [`${PREFIX}deployment`]: name,
          [`${PREFIX}replica-index`]: String(index),
          [`${PREFIX}engine`]: `e${e}`,
          [`${PREFIX}role`]: role,
        },
        pods,
        pool: pools[`e${e}`] ?? '',
        requests,
        ...nodeOf(spec, cluster, pools[`e${e}`] ?? ''),
      })),
    );
  });
}

/** What nodes of a pool have, and how pods get it. */
function nodeOf({ classes, clusters }: FleetSpec, cluster: string, pool: string) {
  const declared = clusters.find(({ name }) => name === cluster);
  const className = declared?.pools[Number(pool.slice(1))]?.className;
  const has = classes.find(({ name }) => name === className)?.has ?? [];
  return { dra: declared?.dra ?? true, kinds: has.map(({ kind }) => kind) };
}

/** The members of an engine: their role, the pods in a replica and what each pod asks for. */
export function membersOf({ requests, copies, workers, idleLeader }: EngineSpec): {
  role: string;
  pods: number;
  requests: readonly RequestSpec[];
}[] {
  if (workers === 0) return [{ role: 'Standalone', pods: copies, requests }];
  return [
    { role: 'Leader', pods: copies, requests: idleLeader ? [] : requests },
    { role: 'Worker', pods: copies * workers, requests },
  ];
}

/** Whether a pod is one of those promised. */
export function isOf({ labels }: Promised, { metadata }: KubeObject): boolean {
  return Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value);
}
