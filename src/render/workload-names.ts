import type { Engine } from '../api/engine';
import { ALIAS_POD_LABELS } from '../api/labels';
import { sortUnique } from '../base/order';
import { DYNAMO, KSERVE, KSERVE_POD_LABELS } from '../catalog/backends';
import { componentTypeOf, frameworksOf, isDynamoGraph } from '../engine/dynamo-graph';
import { longestGraphNameOf } from '../engine/dynamo-limits';
import { gangSizeOf, type KServeEngines, kserveEnginesOf, workerOf } from '../engine/kserve-layout';
import { graphNameOf, kserveNameOf, workloadNameOf } from '../manifest/kubernetes/object-names';
import { backendOf, type ComputedReplica } from '../replicas/replica';
import { queueMetadataOf, schedulerOf } from './queue-metadata';

/** A workload that runs the pods of an engine. Those that Dynamo makes have names of its own, so it is their graph. */
export interface WorkloadReference {
  readonly apiVersion: string;
  readonly kind: 'Deployment' | 'LeaderWorkerSet' | 'DynamoGraphDeployment';
  readonly name: string;
}

/** Returns the Deployment or LeaderWorkerSet of an engine of a replica, whoever makes it from the objects. */
export function workloadReferenceOf(replica: ComputedReplica, engine: Engine): WorkloadReference {
  if (backendOf(replica) === 'Dynamo' && isDynamoGraph(replica.deployment)) {
    return { apiVersion: DYNAMO.apiVersion, kind: DYNAMO.kind, name: graphOf(replica) };
  }
  const gang = workerOf(engine) !== undefined;
  const kind = gang
    ? ({ apiVersion: 'leaderworkerset.x-k8s.io/v1', kind: 'LeaderWorkerSet' } as const)
    : ({ apiVersion: 'apps/v1', kind: 'Deployment' } as const);
  const engines = backendOf(replica) === 'KServe' ? kserveEnginesOf(replica.deployment) : undefined;
  if (!engines) return { ...kind, name: nativeNameOf(replica, engine) };
  const prefill = engines.prefill?.name === engine.name ? KSERVE.suffixes.prefill : '';
  return { ...kind, name: `${inferenceServiceNameOf(replica, engines)}${KSERVE.suffixes[kind.kind]}${prefill}` };
}

/** Returns the name of the graph of a replica. */
export function graphOf({ deployment, index }: ComputedReplica): string {
  const { engines } = deployment.spec.template.spec;
  const form = [
    ...engines.map((engine) => `${engine.name} ${componentTypeOf(engine)} ${gangSizeOf(engine)}`),
    ...frameworksOf(deployment),
  ];
  return graphNameOf(deployment.metadata, index, { form, longest: longestGraphNameOf(deployment) });
}

/** Returns the name of a workload that Fleetwright renders, as short as the scheduler of its cluster needs it. */
function nativeNameOf({ deployment, cluster, index }: ComputedReplica, { name, members }: Engine): string {
  const longest = members.length > 1 ? schedulerOf(cluster).longestGangName : undefined;
  return workloadNameOf(deployment.metadata, index, name, longest);
}

/** Returns the name of the LLMInferenceService of a replica, as short as its controllers need it. */
export function inferenceServiceNameOf(replica: ComputedReplica, engines: KServeEngines): string {
  const { deployment, cluster, index } = replica;
  const { main, prefill } = engines;
  const { longestGangName } = schedulerOf(cluster);
  const appended = `${KSERVE.suffixes.LeaderWorkerSet}${KSERVE.suffixes.prefill}`.length;
  const longest = longestGangName === undefined ? KSERVE.longestName : longestGangName - appended;
  const sizes = [main, ...(prefill ? [prefill] : [])].map(gangSizeOf);
  const form = sizes.some((size) => size > 1) ? sizes.map((size) => `x${size}`) : [];
  const selectors = listSelectorLabels(replica);
  return kserveNameOf(deployment.metadata, index, prefill ? 'pair' : main.name, { form, selectors, longest });
}

/**
 * Lists the labels that can change of the pods of Deployments of KServe. The controller adds the labels of pods to the
 * selector of their Deployment (workload_single_node.go: both are one map), and no selector can change. LeaderWorkerSets
 * have selectors of their own.
 */
function listSelectorLabels({ deployment, cluster, engines }: ComputedReplica): string[] {
  const { labels } = deployment.spec.template.metadata;
  const labelsOfPods = engines
    .filter(({ engine }) => workerOf(engine) === undefined)
    .flatMap(({ engine, pool }) => {
      const own = engine.members.map(({ template }) => template.metadata.labels);
      const alias = deployment.group === 'modelplane.ai' ? { [ALIAS_POD_LABELS.pool]: pool.name } : {};
      return Object.entries({ ...labels, ...Object.assign({}, ...own), ...alias, ...queueMetadataOf(cluster).labels });
    });
  return sortUnique(labelsOfPods.flatMap(([key, value]) => (KSERVE_POD_LABELS.has(key) ? [] : [`${key}=${value}`])));
}
