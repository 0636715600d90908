import * as fc from 'fast-check';
import type { Resource } from '../../src/api/kinds';
import { ask, cluster, deployment, device, engine, nodeClassWith } from './build';

/** What a class has on a node: devices of each architecture, and CPUs where that is stated. */
export interface ClassSpec {
  readonly name: string;
  readonly has: Readonly<Record<Architecture, number>>;
  readonly cpu?: number;
  readonly price?: number;
}

/** What one pod of an engine asks for; `Any` accepts every architecture. */
export interface RequestSpec {
  readonly of: Architecture | 'Any';
  readonly count: number;
}

export interface DeploymentSpec {
  readonly id: string;
  readonly replicas: number;
  readonly priority: number;
  readonly region?: string;
  readonly tolerates: boolean;
  /** Pods, or groups, of each engine that a rollout adds. */
  readonly surge: 0 | 1;
  readonly placement?: PlacementSpec;
  readonly engines: readonly EngineSpec[];
}

export interface PlacementSpec {
  readonly policy: 'Spread' | 'Pack' | 'Cheapest';
  readonly spreadBy?: 'area';
  readonly minDomains?: 2;
  readonly maxPerDomain?: number;
  readonly maxPerCluster?: number;
}

export interface EngineSpec {
  readonly requests: readonly RequestSpec[];
  readonly copies: number;
  /** The lower bound of the copies that an autoscaler chooses; `copies` is the upper one. */
  readonly least?: 1;
  readonly workers: number;
  /** CPUs that each pod requests; its share of the node where that is silent. */
  readonly cpu?: number;
}

export interface ClusterSpec {
  readonly name: string;
  readonly region: string;
  readonly effect?: string;
  readonly pools: readonly PoolSpec[];
}

export interface PoolSpec {
  readonly className: string;
  readonly nodes: number;
  readonly packing: 'Spread' | 'BinPack' | 'Exclusive';
}

/** A fleet as a test knows it, without a line of the code under test. */
export interface FleetSpec {
  readonly classes: readonly ClassSpec[];
  readonly clusters: readonly ClusterSpec[];
  readonly deployments: readonly DeploymentSpec[];
}

export type Architecture = 'Ada' | 'Hopper';

const CLASSES: readonly ClassSpec[] = [
  { name: 'ada', has: { Ada: 4, Hopper: 0 }, price: 2 },
  { name: 'hopper', has: { Ada: 0, Hopper: 8 }, cpu: 16, price: 8 },
  { name: 'mixed', has: { Ada: 2, Hopper: 2 } },
];

const requestSpec = fc.record({
  of: fc.constantFrom<RequestSpec['of']>('Ada', 'Hopper', 'Hopper', 'Any'),
  count: fc.constantFrom(1, 1, 2, 4, 8),
});

const engineSpec: fc.Arbitrary<EngineSpec> = fc.record(
  {
    requests: fc.array(requestSpec, { minLength: 1, maxLength: 2 }),
    copies: fc.integer({ min: 1, max: 2 }),
    workers: fc.constantFrom(0, 0, 0, 1),
    cpu: fc.integer({ min: 1, max: 6 }),
    least: fc.constant(1 as const),
  },
  { requiredKeys: ['requests', 'copies', 'workers'] },
);

const policy = fc.constantFrom('Spread' as const, 'Pack' as const, 'Cheapest' as const);

const placementSpec: fc.Arbitrary<PlacementSpec> = fc.oneof(
  fc.record({ policy }),
  fc.record(
    {
      policy,
      spreadBy: fc.constant('area' as const),
      minDomains: fc.constant(2 as const),
      maxPerDomain: fc.integer({ min: 1, max: 3 }),
      maxPerCluster: fc.integer({ min: 1, max: 2 }),
    },
    { requiredKeys: ['policy', 'spreadBy'] },
  ),
);

const deploymentSpec: fc.Arbitrary<Omit<DeploymentSpec, 'id'>> = fc.record(
  {
    replicas: fc.integer({ min: 0, max: 4 }),
    priority: fc.integer({ min: 0, max: 1 }),
    region: fc.constantFrom('eu', 'us'),
    tolerates: fc.boolean(),
    surge: fc.constantFrom<0 | 1>(0, 0, 1),
    placement: placementSpec,
    engines: fc.array(engineSpec, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ['replicas', 'priority', 'tolerates', 'surge', 'engines'] },
);

const clusterSpec: fc.Arbitrary<Omit<ClusterSpec, 'name'>> = fc.record(
  {
    region: fc.constantFrom('eu', 'us'),
    effect: fc.constantFrom('NoSchedule', 'NoExecute'),
    pools: fc.array(
      fc.record({
        className: fc.constantFrom('ada', 'hopper', 'mixed'),
        nodes: fc.integer({ min: 0, max: 3 }),
        packing: fc.constantFrom<PoolSpec['packing']>('Spread', 'Spread', 'Spread', 'BinPack', 'Exclusive'),
      }),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: ['region', 'pools'] },
);

/** Small fleets: few enough nodes that pools fill up, shapes that compete. */
export const fleetSpec: fc.Arbitrary<FleetSpec> = fc.record({
  classes: fc.constant(CLASSES),
  clusters: fc
    .array(clusterSpec, { minLength: 1, maxLength: 4 })
    .map((all) => all.map((spec, i) => ({ ...spec, name: `c${i}` }))),
  deployments: fc
    .array(deploymentSpec, { maxLength: 5 })
    .map((all) => all.map((spec, i) => ({ ...spec, id: `ns${i % 2}/d${i >> 1}` }))),
});

/** The resources that declare a fleet. Equal ones are built once. */
export function resourcesOf({ classes, clusters, deployments }: FleetSpec): Resource[] {
  return [...classes.map(toClass), DOOR, ...clusters.map(toCluster), ...deployments.map(toDeployment)];
}

/** Some cluster is in an area, whichever others there are: a label that none carries would be an error. */
const DOOR = cluster('door', {}, { labels: { area: 'front' } });

const built = new Map<string, Resource>();

function once<T>(build: (spec: T) => Resource): (spec: T) => Resource {
  return (spec) => {
    const key = JSON.stringify(spec);
    const resource = built.get(key) ?? build(spec);
    built.set(key, resource);
    return resource;
  };
}

const toClass = once(({ name, has, cpu, price }: ClassSpec) => {
  const devices = (Object.keys(has) as Architecture[]).filter((architecture) => has[architecture] > 0);
  return nodeClassWith(
    name,
    {
      ...(cpu !== undefined && { allocatable: { cpu: String(cpu) } }),
      ...(price !== undefined && { price }),
    },
    ...devices.map((architecture) => device(architecture.toLowerCase(), { architecture, count: has[architecture] })),
  );
});

/** All clusters but the last are in an area: their region. */
const toCluster = once(({ name, region, effect, pools }: ClusterSpec) => {
  const sizes = pools.map(({ className, nodes, packing }, i): [string, string] => [
    `p${i}`,
    `${className} x ${nodes} ${packing}`,
  ]);
  const taints = effect ? [{ key: 'closed', effect }] : [];
  const labels = { region, ...(name.endsWith('3') ? {} : { area: region }) };
  return cluster(name, Object.fromEntries(sizes), { labels, taints, monitoring: {} });
});

const toDeployment = once(
  ({ id, replicas, priority, region, tolerates, surge, placement, engines }: DeploymentSpec) => {
    const { minDomains, ...others } = placement ?? { policy: 'Spread' };
    return deployment(id, {
      replicas,
      engines: engines.map(({ requests, copies: max, least, workers, cpu }, e) =>
        engine(
          `e${e}`,
          requests.map(({ of, count }, r) => ask(`r${r}`, count, selector(of))),
          {
            copies: least === undefined ? max : { min: least, max },
            workers,
            resources: cpu === undefined ? {} : { requests: { cpu: String(cpu) } },
          },
        ),
      ),
      spec: {
        priority,
        rollout: { surge },
        // Limits that leave too few places, or domains, are no contradiction where fewer replicas are fine.
        allowPartial: true,
        placement: { ...others, ...(minDomains && replicas >= minDomains && { minDomains }) },
      },
      template: {
        ...(region && { clusterSelector: { matchLabels: { region } } }),
        ...(tolerates && { tolerations: [{ operator: 'Exists' }] }),
      },
    });
  },
);

function selector(of: RequestSpec['of']): string {
  return of === 'Any' ? 'true' : `device.attributes["gpu.nvidia.com"].architecture == "${of}"`;
}
