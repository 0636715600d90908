import * as fc from 'fast-check';
import type { Resource } from '../../src/api/kinds';
import { ask, cluster, deployment, device, engine, nodeClass } from './build';

/** What a class has on a node: devices of each architecture. */
export interface ClassSpec {
  readonly name: string;
  readonly has: Readonly<Record<Architecture, number>>;
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
  readonly engines: readonly {
    readonly requests: readonly RequestSpec[];
    readonly copies: number;
    readonly workers: number;
  }[];
}

export interface ClusterSpec {
  readonly name: string;
  readonly region: string;
  readonly effect?: string;
  readonly pools: readonly { readonly className: string; readonly nodes: number }[];
}

/** A fleet as a test knows it, without a line of the code under test. */
export interface FleetSpec {
  readonly classes: readonly ClassSpec[];
  readonly clusters: readonly ClusterSpec[];
  readonly deployments: readonly DeploymentSpec[];
}

export type Architecture = 'Ada' | 'Hopper';

const CLASSES: readonly ClassSpec[] = [
  { name: 'ada', has: { Ada: 4, Hopper: 0 } },
  { name: 'hopper', has: { Ada: 0, Hopper: 8 } },
  { name: 'mixed', has: { Ada: 2, Hopper: 2 } },
];

const requestSpec = fc.record({
  of: fc.constantFrom<RequestSpec['of']>('Ada', 'Hopper', 'Hopper', 'Any'),
  count: fc.constantFrom(1, 1, 2, 4, 8),
});

const deploymentSpec: fc.Arbitrary<Omit<DeploymentSpec, 'id'>> = fc.record(
  {
    replicas: fc.integer({ min: 0, max: 4 }),
    priority: fc.integer({ min: 0, max: 1 }),
    region: fc.constantFrom('eu', 'us'),
    tolerates: fc.boolean(),
    engines: fc.array(
      fc.record({
        requests: fc.array(requestSpec, { minLength: 1, maxLength: 2 }),
        copies: fc.integer({ min: 1, max: 2 }),
        workers: fc.constantFrom(0, 0, 0, 1),
      }),
      { minLength: 1, maxLength: 2 },
    ),
  },
  { requiredKeys: ['replicas', 'priority', 'tolerates', 'engines'] },
);

const clusterSpec: fc.Arbitrary<Omit<ClusterSpec, 'name'>> = fc.record(
  {
    region: fc.constantFrom('eu', 'us'),
    effect: fc.constantFrom('NoSchedule', 'NoExecute'),
    pools: fc.array(
      fc.record({
        className: fc.constantFrom('ada', 'hopper', 'mixed'),
        nodes: fc.integer({ min: 0, max: 3 }),
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

/** The resources that declare a fleet. */
export function resourcesOf({ classes, clusters, deployments }: FleetSpec): Resource[] {
  return [...classes.map(toClass), ...clusters.map(toCluster), ...deployments.map(toDeployment)];
}

function toClass({ name, has }: ClassSpec): Resource {
  const devices = (Object.keys(has) as Architecture[]).filter((architecture) => has[architecture] > 0);
  return nodeClass(
    name,
    ...devices.map((architecture) =>
      device(architecture.toLowerCase(), { architecture, count: has[architecture] }),
    ),
  );
}

export function toCluster({ name, region, effect, pools }: ClusterSpec): Resource {
  const sizes = pools.map(({ className, nodes }, i): [string, string] => [
    `p${i}`,
    `${className} x ${nodes}`,
  ]);
  const taints = effect ? [{ key: 'closed', effect }] : [];
  return cluster(name, Object.fromEntries(sizes), { labels: { region }, taints });
}

function toDeployment({ id, replicas, priority, region, tolerates, engines }: DeploymentSpec): Resource {
  return deployment(id, {
    replicas,
    engines: engines.map(({ requests, copies, workers }, e) =>
      engine(
        `e${e}`,
        requests.map(({ of, count }, r) => ask(`r${r}`, count, selector(of))),
        { copies, workers },
      ),
    ),
    spec: { priority },
    template: {
      ...(region && { clusterSelector: { matchLabels: { region } } }),
      ...(tolerates && { tolerations: [{ operator: 'Exists' }] }),
    },
  });
}

function selector(of: RequestSpec['of']): string {
  return of === 'Any' ? 'true' : `device.attributes["gpu.nvidia.com"].architecture == "${of}"`;
}
