import type { Engine } from '../api/engine';
import { DYNAMO, KSERVE } from '../catalog/backends';
import { componentTypeOf, frameworksOf, isDynamoGraph } from '../engine/dynamo-graph';
import { longestGraphNameOf } from '../engine/dynamo-limits';
import { gangSizeOf, type KServeEngines, kserveEnginesOf, workerOf } from '../engine/kserve-layout';
import { graphNameOf, kserveNameOf, workloadNameOf } from '../manifest/kubernetes/object-names';
import { backendOf, type ComputedReplica } from '../replicas/replica';
import { schedulerOf } from './queue-metadata';

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
export function inferenceServiceNameOf(
  { deployment, cluster, index }: ComputedReplica,
  engines: KServeEngines,
): string {
  const { main, prefill } = engines;
  const { longestGangName } = schedulerOf(cluster);
  const appended = `${KSERVE.suffixes.LeaderWorkerSet}${KSERVE.suffixes.prefill}`.length;
  const longest = longestGangName === undefined ? KSERVE.longestName : longestGangName - appended;
  const sizes = [main, ...(prefill ? [prefill] : [])].map(gangSizeOf);
  const form = sizes.some((size) => size > 1) ? sizes.map((size) => `x${size}`) : [];
  return kserveNameOf(deployment.metadata, index, prefill ? 'pair' : main.name, { form, longest });
}
