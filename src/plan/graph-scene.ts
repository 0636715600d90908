import { groupBy, sortedBy } from '../order';
import { totalWeight } from '../routing/shares';
import type { Rule } from '../routing/routing';
import type { DeploymentPlan, Plan } from './plan';
import { replicasIn } from './replicas-in';

/** A fleet as far as it is drawn. */
export interface Scene {
  /** By name; those with replicas, and those that services need. */
  readonly clusters: readonly Site[];
  readonly services: readonly Service[];
}

/** A cluster with replicas. */
export interface Site {
  readonly name: string;

  /** Replicas of each deployment, leaving ones too. */
  readonly deployments: ReadonlyMap<string, number>;
}

/** A service, and all ways of its requests. */
export interface Service {
  readonly name: string;
  readonly ways: readonly Way[];
}

/** Where requests of a service go. */
export interface Way {
  readonly target: string;

  /** Absent: outside the fleet. */
  readonly cluster?: string;
  readonly weight: number;
  readonly total: number;

  /** What requests have to match, or when they go there. Empty: all do. */
  readonly when: string;
}

/** What of a plan is drawn. */
export function sceneOf({ deployments, services }: Plan): Scene {
  const placed = deployments.flatMap((one) => {
    const { deployment } = one;
    return clustersOf(one).map((cluster) => ({ cluster, deployment }));
  });
  const byCluster = groupBy(placed, ({ cluster }) => cluster);
  const clusters = [...byCluster].map(([name, own]): Site => {
    const counts = groupBy(own, ({ deployment }) => deployment);
    return { name, deployments: new Map([...counts].map(([id, all]) => [id, all.length])) };
  });
  return {
    clusters: sortedBy(clusters, ({ name }) => name),
    services: services.map(({ namespace, name, rules }) => ({
      name: `${namespace}/${name}`,
      ways: rules.flatMap(waysOf),
    })),
  };
}

/** The cluster of each replica that a plan leaves: of the old one too, where it serves until it is settled. */
function clustersOf(plan: DeploymentPlan): string[] {
  const old = plan.changes.flatMap((change) =>
    change.action === 'move' && change.surgeFirst ? [change.from.cluster] : [],
  );
  return [...replicasIn(plan).map(({ placement }) => placement.cluster), ...old];
}

function waysOf({ headers, model, members }: Rule): Way[] {
  const conditions = [
    ...headers.map(({ name, value }) => `${name}: ${value}`),
    ...(model === undefined ? [] : [`model ${model}`]),
  ];
  return members.map(({ tier, weight, target, cluster }): Way => {
    const when = [...conditions, ...(tier === 1 ? ['once nothing else serves'] : [])].join(', ');
    const total = totalWeight(members, tier);
    return {
      target: `${target.namespace}/${target.name}`,
      ...(cluster !== undefined && { cluster }),
      weight,
      total,
      when,
    };
  });
}
