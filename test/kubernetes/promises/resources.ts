import { parseResource, type Resource } from '../../../src/api/kinds';
import type { ClassSpec, ClusterSpec, DeploymentSpec, EngineSpec, FleetSpec } from './fleets';
import { COUNTERS, type KindName, KINDS, wish } from './kinds';

/** The taint of tainted pools. */
const TAINT = { key: 'example.com/reserved', value: 'models', effect: 'NoSchedule' };

/** The queue of clusters that have one. */
export const QUEUE = 'inference';

/** How nodes of pools with blocks are connected, and the block that all nodes of such a pool are in. */
const TOPOLOGY = { levels: ['example.com/block', 'kubernetes.io/hostname'], required: 'example.com/block' };
const BLOCK = { 'example.com/block': 'b0' };

/** A class that no pool uses: what asks for more than any node has should be refused by the plan, not as bad input. */
const ROOMY: ClassSpec = {
  name: 'roomy',
  has: Object.keys(KINDS).map((kind) => ({ kind: kind as KindName, count: 64 })),
};

/** Clusters without nodes: what only clusters with DRA can run should be refused by the plan, not as bad input. */
const SPARE: readonly ClusterSpec[] = ['eu', 'us'].map((region) => ({
  name: `spare-${region}`,
  region,
  dra: true,
  pools: [{ className: ROOMY.name, nodes: 0, tainted: false }],
}));

/**
 * The resources that declare a fleet. All clusters of all fleets share one control plane, so each has a node label
 * of its own for its pools.
 *
 * @param monitoring of each cluster, which engines that scale need
 */
export function resourcesOf(
  { classes, clusters, deployments }: FleetSpec,
  fleet: string,
  monitoring?: object,
): Resource[] {
  return [
    ...[...classes, ROOMY].map(toClass),
    ...[...clusters, ...SPARE].map((spec) => toCluster(spec, fleet, monitoring)),
    ...deployments.map(toDeployment),
  ];
}

function resource(kind: string, metadata: object, spec: object): Resource {
  const parsed = parseResource({ apiVersion: 'fleetwright.dev/v1alpha1', kind, metadata, spec });
  if ('findings' in parsed) throw new Error(`the generator made a bad ${kind}: ${JSON.stringify(parsed.findings)}`);
  return parsed.resource;
}

function toClass({ name, has, allocatable }: ClassSpec): Resource {
  const devices = has.map(({ kind, count }) => {
    const divided = KINDS[kind].placements !== undefined;
    return { name: kind, ...(divided ? { counterSet: 'gpu' } : { count }), ...KINDS[kind] };
  });
  const gpus = has.find(({ kind }) => kind === 'divided')?.count;
  const counterSets = gpus === undefined ? {} : { counterSets: [{ name: 'gpu', count: gpus, counters: COUNTERS }] };
  const node = allocatable && { node: { allocatable } };
  return resource('InferenceClass', { name }, { devices, ...counterSets, ...node });
}

function toCluster(
  { name, region, dra, scheduler: type, pools }: ClusterSpec,
  fleet: string,
  monitoring?: object,
): Resource {
  return resource(
    'InferenceCluster',
    { name, labels: { region } },
    {
      cluster: { source: 'Existing', existing: { secretRef: { name: 'kubeconfig' } } },
      dra,
      poolLabel: `${name}.${fleet}.test/pool`,
      ...(monitoring && { monitoring }),
      ...(type && { scheduler: { type, queue: QUEUE, manage: type === 'Kueue' } }),
      nodePools: pools.map(({ className, nodes, tainted, block }, i) => ({
        name: `p${i}`,
        className,
        nodeCount: nodes,
        taints: tainted ? [TAINT] : [],
        ...(block && { topology: TOPOLOGY, labels: BLOCK }),
      })),
    },
  );
}

function toDeployment({ id, replicas, priority, region, rollout, engines }: DeploymentSpec): Resource {
  const [namespace, name] = id.split('/');
  const clusterSelector = region && { clusterSelector: { matchLabels: { region } } };
  const template = { spec: { engines: engines.map(toEngine), ...clusterSelector } };
  return resource('ModelDeployment', { namespace, name }, { replicas, priority, rollout, template });
}

function toEngine({ requests, copies, scaling, workers, idleLeader, compute }: EngineSpec, e: number): object {
  const devices = requests.map(({ wish: name, count, memory }, r) => ({
    name: `r${r}`,
    count,
    selectors: [{ cel: wish(name).cel }],
    ...(memory && { capacity: { requests: { memory } } }),
  }));
  const container = { name: 'engine', image: 'registry.invalid/ollama:1' };
  const pod = { spec: { containers: [{ ...container, ...(compute && { resources: { requests: compute } }) }] } };
  const claiming = { nodeSelector: { devices }, template: pod };
  const members =
    workers === 0
      ? [claiming]
      : [
          { role: 'Leader', ...(idleLeader ? { template: pod } : claiming) },
          { role: 'Worker', worker: { nodes: workers }, ...claiming },
        ];
  return { name: `e${e}`, ...(scaling ? { copies: { min: 1, max: copies }, scaling } : { copies }), members };
}
