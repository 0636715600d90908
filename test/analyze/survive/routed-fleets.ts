import * as fc from 'fast-check';
import type { Resource } from '../../../src/api/kinds';
import { aClass, aDeployment, aGrant, anEndpoint, anEngine, type Doc, parsed } from '../../api/build';
import { aSite, aSplit, to } from '../../routing/build';

/** A cluster whose nodes take one replica each. */
export interface SiteSpec {
  readonly name: string;
  readonly region: string;
  readonly nodes: number;
  /** Whether requests reach its replicas. */
  readonly edge: boolean;
}

export interface ModelSpec {
  readonly id: string;
  readonly replicas: number;
  readonly priority: number;
  readonly app: string;
  /** The only clusters that it may be on. */
  readonly on?: readonly string[] | undefined;
  readonly minAvailable?: number;
}

export interface EntrySpec {
  readonly labels: Readonly<Record<string, string>>;
  readonly weight: number;
  readonly tier: 0 | 1;
  readonly canary: boolean;
}

export interface ServiceSpec {
  readonly namespace: string;
  readonly entries: readonly EntrySpec[];
}

/** A fleet with services as a test knows it, without a line of the code under test. */
export interface RoutedSpec {
  readonly sites: readonly SiteSpec[];
  readonly models: readonly ModelSpec[];
  /** External endpoints of the first namespace. */
  readonly rented: number;
  readonly services: readonly ServiceSpec[];
  /** The clusters of each gateway. */
  readonly gateways: readonly (readonly string[])[];
  /** Whether services of the first namespace may use deployments of the second. */
  readonly granted: boolean;
}

const NAMES = ['c0', 'c1', 'c2', 'c3', 'front'];
export const NAMESPACES = ['team-a', 'team-b'] as const;
const somewhere = fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 2 });

const site = fc.record({ region: fc.constantFrom('eu', 'us'), nodes: fc.constantFrom(0, 1, 2, 3, 3) });

const model = fc
  .record(
    {
      replicas: fc.constantFrom(0, 1, 2, 3, 4),
      priority: fc.constantFrom(0, 1),
      app: fc.constantFrom('a', 'b'),
      on: somewhere,
      minAvailable: fc.integer({ min: 1, max: 3 }),
    },
    { requiredKeys: ['replicas', 'priority', 'app'] },
  )
  .map(({ minAvailable, ...more }) => ({
    ...more,
    ...(minAvailable !== undefined && minAvailable <= more.replicas && { minAvailable }),
  }));

const entry: fc.Arbitrary<EntrySpec> = fc.record({
  labels: fc.oneof(
    fc.constantFrom<Record<string, string>>(
      { app: 'a' },
      { app: 'a' },
      { app: 'b' },
      { app: 'b' },
      { app: 'rented' },
      { 'fleetwright.dev/replica-index': '0' },
    ),
    fc.constantFrom(...NAMES).map((name) => ({ 'fleetwright.dev/cluster': name })),
    fc.constantFrom(...NAMES).map((name) => ({ app: 'a', 'fleetwright.dev/cluster': name })),
  ),
  weight: fc.constantFrom(1, 2, 3, 9),
  tier: fc.constantFrom<0 | 1>(0, 1, 0),
  canary: fc.constantFrom(false, false, false, true),
});

const service: fc.Arbitrary<ServiceSpec> = fc.record({
  namespace: fc.constantFrom(...NAMESPACES),
  entries: fc.array(entry, { minLength: 2, maxLength: 4, size: 'max' }),
});

/** A cluster without nodes, so that whatever else is lost some cluster has the labels that deployments ask for. */
const FRONT: SiteSpec = { name: 'front', region: 'front', nodes: 0, edge: true };

/** Small fleets of four clusters, some without nodes, in which replicas and services compete. */
export const routedSpec: fc.Arbitrary<RoutedSpec> = fc.record({
  sites: fc
    .tuple(site, site, site, site)
    .map((all) => [...all.map((one, i): SiteSpec => ({ name: `c${i}`, edge: i < 3, ...one })), FRONT]),
  models: fc
    .array(model, { minLength: 2, maxLength: 4, size: 'max' })
    .map((all) => all.map((one, i): ModelSpec => ({ id: `${NAMESPACES[i % 2]}/d${i}`, ...one }))),
  rented: fc.constantFrom(0, 1, 2),
  services: fc.array(service, { minLength: 1, maxLength: 3, size: 'max' }),
  // Gateways stand only where there is an edge.
  gateways: fc.array(
    somewhere.map((names) => names.map((name) => (name === 'c3' ? 'front' : name))).map((names) => [...new Set(names)]),
    { minLength: 1, maxLength: 2 },
  ),
  granted: fc.boolean(),
});

const WHOLE_NODE = anEngine('main', { gpus: 8 });

/** The resources that declare a fleet. */
export function resourcesOf({ sites, models, rented, services, gateways, granted }: RoutedSpec): Resource[] {
  return [
    aClass('h100'),
    ...sites.map(({ name, region, nodes, edge }) =>
      aSite(name, { pools: { h100: nodes }, labels: { region }, ...(!edge && { gateway: 'None' }) }),
    ),
    ...models.map(toDeployment),
    ...Array.from({ length: rented }, (_, i) => anEndpoint(`${NAMESPACES[0]}/e${i}`, { labels: { app: 'rented' } })),
    ...(granted && models.length > 1
      ? [aGrant(`${NAMESPACES[1]}/models`, NAMESPACES[0], { kind: 'ModelDeployment' })]
      : []),
    ...services.map(({ namespace, entries }, i) =>
      aSplit(
        `${namespace}/s${i}`,
        entries.map(({ labels, weight, tier, canary }) =>
          to({ ...labels }, { weight, tier, ...(canary && { match: { headers: { 'x-canary': 'yes' } } }) }),
        ),
      ),
    ),
    ...gateways.map((clusters, i) =>
      parsed('InferenceGateway', `g${i}`, {
        clusters,
        hostname: `models${i}.example.com`,
        public: 'insecure',
        tls: { issuer: { name: 'public' } },
      }),
    ),
  ];
}

function toDeployment({ id, replicas, priority, app, on, minAvailable }: ModelSpec): Resource {
  const clusterSelector = on && { matchExpressions: [{ key: 'site', operator: 'In', values: [...on] }] };
  const built = aDeployment(id, {
    replicas,
    priority,
    replicaLabels: { app },
    engines: [WHOLE_NODE],
    allowPartial: true,
    ...(clusterSelector && { clusterSelector }),
  } as Doc);
  return minAvailable === undefined ? built : { ...built, spec: { ...built.spec, minAvailable } };
}
