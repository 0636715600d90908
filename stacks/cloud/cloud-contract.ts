import { ComponentResource, isSecret, output } from '@pulumi/pulumi';
import { cloudNameOf } from '../../src/api/cluster-labels';
import type { InferenceCluster } from '../../src/api/inference-cluster';
import { findImpureValues } from '../../src/base/plain-data';
import type { Fleet } from '../../src/fleet/fleet';
import type { Cloud } from './cloud';
import type { Cluster } from './cluster';
import { toPromise } from '../checks/running-workloads';

/** A rule that every cloud must follow. */
export interface CloudRule {
  /** A sentence about the behavior of a cloud. */
  readonly name: string;

  /** Returns the violations of the rule. Empty: the cloud follows the rule. */
  violations(): Promise<string[]>;
}

/**
 * Returns the rules that a cloud must follow, checked on the clusters of a fleet that are on it. Run them in the tests
 * of every cloud, after `pulumi.runtime.setMocks`: the clusters are registered.
 *
 * @param fleet a fleet with some clusters on the cloud: with pools of a fixed size, and with autoscaled ones
 * @example
 * test.each(cloudContract(oke, fleet))('$name', async (rule) => {
 *   expect(await rule.violations()).toEqual([]);
 * });
 */
export function cloudContract(cloud: Cloud, fleet: Fleet): readonly CloudRule[] {
  const clusters = fleet.clusters.filter(({ spec }) => cloudNameOf(spec.cluster) === cloud.source);
  const sound = clusters.filter((cluster) => [...cloud.check(cluster, fleet)].length === 0);
  const pure = Object.entries(PURE_RULES).map(([name, rule]) => ({
    name,
    violations: () => Promise.resolve(rule({ cloud, fleet, clusters, sound })),
  }));
  const made = Object.entries(CLUSTER_RULES).map(([name, rule]) => ({
    name,
    violations: () => violationsOfClusters(rule, { cloud, fleet, clusters, sound }, name),
  }));
  return [...pure, ...made];
}

/** A cloud with the clusters on it. */
interface CheckedCloud {
  readonly cloud: Cloud;
  readonly fleet: Fleet;
  readonly clusters: readonly InferenceCluster[];

  /** The clusters without problems. */
  readonly sound: readonly InferenceCluster[];
}

const PURE_RULES: Readonly<Record<string, (checked: CheckedCloud) => string[]>> = {
  'accepts at least one of the clusters': ({ cloud, clusters, sound }) =>
    sound.length > 0 ? [] : [`${cloud.source} accepts no cluster of ${clusters.length}`],

  'states problems as clauses without a full stop': ({ cloud, fleet, clusters }) =>
    clusters.flatMap((cluster) =>
      [...cloud.check(cluster, fleet)]
        .flatMap(({ message, hint }) => [message, hint ?? message])
        .filter((text) => !/^\S.*[^.\s]$/.test(text))
        .map((text) => `${cluster.metadata.name}: '${text}'`),
    ),

  'finds the same problems and plans the same for the same cluster': ({ cloud, fleet, clusters, sound }) =>
    clusters
      .filter((cluster) => {
        const decide = (declared: InferenceCluster, all: Fleet): string => {
          const planned = sound.includes(cluster) ? cloud.plan(declared, all) : undefined;
          return JSON.stringify([[...cloud.check(declared, all)], planned]);
        };
        return decide(cluster, fleet) !== decide(structuredClone(cluster), fleet);
      })
      .map(({ metadata }) => `${metadata.name}: a second time it decides something else`),

  'does not change the declarations': ({ cloud, fleet, clusters, sound }) =>
    clusters.flatMap((cluster) => {
      const before = JSON.stringify([cluster, fleet.classes]);
      for (const _ of cloud.check(cluster, fleet)) break;
      if (sound.includes(cluster)) cloud.plan(cluster, fleet);
      return JSON.stringify([cluster, fleet.classes]) === before ? [] : [`${cluster.metadata.name}: it changes`];
    }),

  'plans plain data': forEachPlan((planned) => findImpureValues(planned, 'plan', 'allowed')),

  'labels the nodes of every pool with the name of the pool': forEachPlan((planned, { spec }) =>
    spec.nodePools
      .filter(({ name }) => !hasPair(planned, spec.poolLabel, name))
      .map(({ name }) => `no nodes have the label ${spec.poolLabel}: ${name}`),
  ),
};

function forEachPlan(
  check: (planned: unknown, cluster: InferenceCluster) => string[],
): (checked: CheckedCloud) => string[] {
  return ({ cloud, fleet, sound }) =>
    sound.flatMap((cluster) =>
      check(cloud.plan(cluster, fleet), cluster).map((violation) => `${cluster.metadata.name}: ${violation}`),
    );
}

/** A cluster that a cloud registered below a parent. */
interface MadeCluster {
  readonly name: string;
  readonly made: Cluster;
}

/** A rule about all clusters that a cloud registered. */
type ClusterRule = (made: readonly MadeCluster[]) => Promise<string[]>;

/** Whether labels in a value have a pair, as an object or as a list of keys and values. */
function hasPair(value: unknown, key: string, text: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const pair = value as Readonly<Record<string, unknown>>;
  if (pair[key] === text || (pair['key'] === key && pair['value'] === text)) return true;
  return Object.values(pair).some((inner) => hasPair(inner, key, text));
}

const CLUSTER_RULES: Readonly<Record<string, ClusterRule>> = {
  'makes a cluster of the declared name': async (all) =>
    all
      .filter(({ name, made }) => made.name !== name)
      .map(({ name, made }) => `${name}: its cluster has the name '${made.name}'`),

  'makes a provider for each cluster': async (all) => {
    const urns = await Promise.all(all.map(({ made }) => toPromise(made.provider.urn)));
    return all
      .filter((_, index) => urns.indexOf(urns[index] ?? '') !== index)
      .map(({ name }) => `${name}: its provider is that of another cluster`);
  },

  'keeps the kubeconfig of a cluster secret': async (all) => {
    const secret = await Promise.all(all.map(({ made }) => isSecret(made.kubeconfig)));
    return all.filter((_, index) => !secret[index]).map(({ name }) => `${name}: its kubeconfig is not a secret`);
  },
};

async function violationsOfClusters(
  rule: ClusterRule,
  { cloud, fleet, sound }: CheckedCloud,
  name: string,
): Promise<string[]> {
  const parent = new ComponentResource('fleetwright:test:CloudContract', name.replaceAll(' ', '-'));
  const all = sound.map((cluster) => {
    const options = { name: cluster.metadata.name, parent, keepData: true };
    return { name: cluster.metadata.name, made: cloud.make(cloud.plan(cluster, fleet), options) };
  });
  // Otherwise, registrations go on after the test.
  await Promise.all(all.flatMap(({ made }) => made.dependencies.map((one) => toPromise(output(one)))));
  return rule(all);
}
