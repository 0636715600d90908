import { aCluster, aDeployment, anEndpoint, type Doc, parsed } from '../api/build';
import { aDoor, aSplit, decided, to, warned, wrong } from './build';
import type { Resource } from '../../src/api/kinds';
import { loadManifests } from '../../src/manifest/load-manifests';

const app = { app: 'chat' };
const TLS = { issuer: { name: 'ours' }, caRef: { name: 'our-ca' } };

/** The same resource, as a manifest of the alias group. */
const peer = <R extends Resource>(resource: R): R => ({ ...resource, group: 'modelplane.ai' });

const site = (name: string, options: Doc = {}) => peer(aCluster(name, { pools: { h100: 4 }, ...options }));
const model = peer(aDeployment('ml/llama', { replicaLabels: app, replicas: 2 }));
const chat = peer(aSplit('ml/chat', [to(app)]));
const gateway = peer(parsed('InferenceGateway', 'default', {}));
const saas = anEndpoint('ml/saas', { labels: app, url: 'https://api.example.com/v1' });

function linesFor(...resources: Resource[]): string | undefined {
  return decided(...resources).plan.missingRoutes?.lines;
}

/** What becomes of a fleet once the lines are in it. */
function after(...resources: Resource[]) {
  const added = loadManifests([{ path: 'routes.yaml', text: linesFor(...resources) ?? '' }]).resources;
  const { plan } = decided(...resources.filter(({ kind }) => kind !== 'Fleet'), ...added);
  return { services: plan.services.length, missing: plan.missingRoutes, added: added.map(({ kind }) => kind) };
}

describe('services of modelplane.ai without routes get lines that give them routes', () => {
  const cases: Record<string, { fleet: Resource[]; kinds?: string[] }> = {
    'where a gateway names no cluster of several': { fleet: [site('a'), site('b'), gateway, model, chat] },
    'where the only cluster has no certificates': { fleet: [site('a'), gateway, model, chat] },
    'where there is no gateway': { fleet: [site('a'), model, chat], kinds: ['Fleet', 'InferenceGateway'] },
    'where no gateway is declared, and nothing else is missing': {
      fleet: [site('a', { gateway: { tls: TLS } }), model, chat],
      kinds: ['InferenceGateway'],
    },
    'where all their endpoints are external': { fleet: [site('a'), site('b'), gateway, saas, chat] },
    'where the gateway is on a cluster of ours': {
      fleet: [site('a'), { ...site('b'), group: 'fleetwright.dev' }, gateway, model, chat],
    },
    'next to additions that the Fleet has': {
      fleet: [
        site('a'),
        site('b'),
        gateway,
        model,
        chat,
        parsed('Fleet', 'main', { additions: { clusters: [{ name: 'b', gateway: { tls: TLS } }] } }),
      ],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { fleet, kinds = ['Fleet'] }) => {
    expect(after(...fleet)).toEqual({ services: 1, missing: undefined, added: kinds });
  });

  test('with the names that other clusters have', () => {
    const b = site('b', { gateway: { hostname: 'edge.b.ml.example.com', tls: TLS } });
    const onA = peer(aDeployment('ml/llama', { replicaLabels: app, clusterSelector: { matchLabels: { site: 'a' } } }));
    const a = site('a', { labels: { site: 'a' } });
    const lines = linesFor(a, b, { ...gateway, spec: { ...gateway.spec, clusters: ['b'] } }, onA, chat);
    expect(lines).toContain('hostname: edge.a.ml.example.com\n');
    expect(lines).toMatch(/issuer:\n +name: ours\n +caRef:\n +name: our-ca\n/);
  });

  test('with the gateway on the cluster that has most replicas, and no taint where one has none', () => {
    const taints = [{ key: 'a', effect: 'NoSchedule' }];
    expect(linesFor(site('a', { taints }), site('b'), gateway, model, chat)).toMatch(
      /name: default\n +clusters:\n +- b\n/,
    );
  });
});

describe('no lines are proposed', () => {
  const none: Record<string, Resource[]> = {
    'where a service has routes': [site('a', { gateway: { tls: TLS } }), aDoor(['a']), model, chat],
    'where nothing has a place': [gateway, model, chat],
    'where a service has nothing to send requests to': [site('a'), gateway, chat],
    'where no one serves: there is no service': [site('a'), gateway, model],
    'where the cluster itself says that gateways elsewhere cannot reach it': [
      site('a', { gateway: { reach: 'Cluster', tls: TLS }, taints: [] }),
      site('b', { gateway: { tls: TLS } }),
      { ...gateway, spec: { ...gateway.spec, clusters: ['b'] } },
      peer(aDeployment('ml/llama', { replicaLabels: app, replicas: 6 })),
      chat,
    ],
  };
  test.each(Object.entries(none))('%s', (_, fleet) => {
    expect(linesFor(...fleet)).toBeUndefined();
  });

  test('for a fleet of ours', () => {
    const ours = aSplit('ml/chat', [to(app)]);
    expect(linesFor(aCluster('a', { pools: { h100: 4 } }), aDeployment('ml/llama', { replicaLabels: app }), ours)).toBe(
      undefined,
    );
  });
});

test('a warning says so for tools that do not print the lines', () => {
  expect(warned(site('a'), site('b'), gateway, model, chat)).toEqual([
    "ModelService ml/chat metadata.name: ModelService ml/chat without routes: modelplane.ai has no fields for what they need. Add the lines that 'fleetwright plan DIR' prints, or run 'fleetwright migrate --from modelplane DIR'.",
  ]);
});

const fleetOf = (additions: Doc) => parsed('Fleet', 'main', { additions });
const added = (gatewayFields: Doc) => fleetOf({ clusters: [{ name: 'a', gateway: gatewayFields }] });

describe('additions of a Fleet', () => {
  const cases: Record<string, { fleet: Resource[]; want: string[] }> = {
    'equal what a cluster has itself': {
      fleet: [site('a', { gateway: { tls: TLS } }), added({ tls: TLS })],
      want: [],
    },
    'contradict a cluster': {
      fleet: [site('a', { gateway: { hostname: 'a.example.com' } }), added({ hostname: 'b.example.com' })],
      want: [
        "Fleet main spec.additions.clusters.0.gateway.hostname: InferenceCluster a sets 'hostname' to another value. Remove one of the two.",
      ],
    },
    'are for a cluster without a gateway': {
      fleet: [site('a', { gateway: 'None' }), added({ tls: TLS })],
      want: [
        "Fleet main spec.additions.clusters.0.gateway: InferenceCluster a has 'gateway: None'. Remove one of the two.",
      ],
    },
    'are for nothing': {
      fleet: [
        site('a'),
        fleetOf({ clusters: [{ name: 'b', gateway: {} }], gateways: [{ name: 'x', clusters: ['a'] }] }),
      ],
      want: [
        "Fleet main spec.additions.clusters.0.name: there is no InferenceCluster 'b'. Use 'a'.",
        "Fleet main spec.additions.gateways.0.name: there is no InferenceGateway 'x'. Declare it.",
      ],
    },
    'contradict a gateway': {
      fleet: [
        site('a'),
        aDoor(['a'], { hostname: 'a.example.com' }),
        fleetOf({ gateways: [{ name: 'default', hostname: 'b.example.com' }] }),
      ],
      want: [
        "Fleet main spec.additions.gateways.0.hostname: InferenceGateway default sets 'hostname' to another value. Remove one of the two.",
      ],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { fleet, want }) => {
    expect(wrong(...fleet)).toEqual(want);
  });

  test('whose host name is a placeholder are reported where they stand', () => {
    const fleet = [site('a'), added({ hostname: 'edge.a.models.example' })];
    expect(warned(...fleet)).toEqual([
      "Fleet main spec.additions.clusters.0.gateway.hostname: the host name 'edge.a.models.example' is a placeholder, which ingress gateways on other clusters cannot resolve. Set it to a name in one of your DNS zones.",
    ]);
  });
});
