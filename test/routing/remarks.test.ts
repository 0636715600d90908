import type { Resource } from '../../src/api/kinds';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { type ResolvedRouting, resolveRouting } from '../../src/routing/resolve-routing';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { aClass, aCluster, aMember, anEndpoint, byPath, type Doc, parsed } from '../api/build';
import { aDoor, aModel, aSite, aSplit, decided, TLS, to, warned } from './build';

const east = aSite('east');
const door = aDoor(['east']);
const ENGINE = { name: 'engine', image: 'vllm/vllm-openai:v0.23.0' };
const CHAT = { spec: { containers: [{ ...ENGINE, args: ['Qwen/Qwen3-8B', '--served-model-name=chat'] }] } };
const model = aModel('ml/llama', { replicaLabels: { app: 'chat' } });
const chat = aSplit('ml/chat', [to({ app: 'chat' })]);
const saas = (spec: Doc) => anEndpoint('ml/saas', { labels: { app: 'saas' }, ...spec });
const withSaas = (entry: Doc) => aSplit('ml/chat', [to({ app: 'chat' }), to({ app: 'saas' }, entry)]);
const UNLISTED =
  "ModelEndpoint ml/saas spec.models: the endpoint does not list 'Qwen/Qwen3-8B', which ModelDeployment ml/llama serves, and requests to ModelService ml/chat reach both";
const OUT = "or exclude these replicas from services with 'gateway: None'";

type Case = { resources: Resource[]; want: string[] };

const warnings: Record<string, Case> = {
  'a canary that no replica serves': {
    resources: [
      east,
      door,
      model,
      aModel('ml/canary', { replicas: 0, replicaLabels: { app: 'canary' } }),
      aSplit('ml/chat', [to({ app: 'chat' }), to({ app: 'canary' })]),
    ],
    want: [
      'ModelService ml/chat spec.endpoints.1.selector: ModelDeployment ml/canary has no replica, so the entry gets no requests. Give it a replica, or correct the selector.',
    ],
  },
  'a canary of which no replica has a place': {
    resources: [
      east,
      door,
      model,
      aModel('ml/canary', {
        replicas: 1,
        clusterSelector: { matchLabels: { none: 'such' } },
        replicaLabels: { app: 'canary' },
      }),
      aSplit('ml/chat', [to({ app: 'chat' }), to({ app: 'canary' })]),
    ],
    want: [
      'ModelService ml/chat spec.endpoints.1.selector: no replica of ModelDeployment ml/canary has a place, so the entry gets no requests. Give one a place.',
    ],
  },
  'a canary whose replicas are on a cluster without a gateway': {
    resources: [
      east,
      aSite('hidden', { gateway: 'None' }),
      door,
      model,
      aModel('ml/canary', {
        replicas: 1,
        replicaLabels: { app: 'canary' },
        clusterSelector: { matchLabels: { 'fleetwright.dev/cluster': 'hidden' } },
      }),
      aSplit('ml/chat', [to({ app: 'chat' }), to({ app: 'canary' })]),
    ],
    want: [
      'ModelService ml/chat spec.endpoints.1.selector: ModelDeployment ml/canary has replicas only on hidden, which has no gateway, so the entry gets no requests. Declare spec.gateway of hidden, or place a replica on a cluster with a gateway.',
    ],
  },
  'a canary whose replicas are on another cluster than the entry selects': {
    resources: [
      east,
      door,
      model,
      aModel('ml/canary', { replicas: 1, replicaLabels: { app: 'canary' } }),
      aSplit('ml/chat', [to({ app: 'chat' }), to({ app: 'canary', 'fleetwright.dev/cluster': 'west' })]),
    ],
    want: [
      'ModelService ml/chat spec.endpoints.1.selector: ModelDeployment ml/canary has no replica that the entry selects: its replicas are on east, so the entry gets no requests. Place a replica where the entry selects, or correct the selector.',
    ],
  },
  'an entry that selects nothing': {
    resources: [east, door, model, aSplit('ml/chat', [to({ app: 'chat' }), to({ app: 'x' })])],
    want: [
      'ModelService ml/chat spec.endpoints.1.selector: the entry selects nothing, so it gets no requests. Correct the selector, or label a deployment or an endpoint. Labels that exist: app: chat.',
    ],
  },
  'an entry of which others have everything': {
    resources: [east, door, model, aSplit('ml/chat', [to({ app: 'chat' }), to({ app: 'chat' })])],
    want: [
      'ModelService ml/chat spec.endpoints.1.selector: entries above this one select everything that it selects, so it gets no requests. Move it up, or select less above.',
    ],
  },
  'a service whose replicas are all gone for now': {
    resources: [east, door, aModel('ml/llama', { replicas: 0, replicaLabels: { app: 'chat' } }), chat],
    want: [expect.stringContaining('ModelDeployment ml/llama has no replica') as never],
  },
  'a private edge that no one says the front can reach': {
    resources: [aSite('east', { gateway: { reach: 'Private' } }), aSite('west'), aDoor(['west']), chat, onEast()],
    want: [
      'InferenceCluster east spec.gateway.reach: the ingress gateway on InferenceCluster west may not reach this cluster gateway, whose reach is Private. If their networks are connected, set the same label fleetwright.dev/network on both clusters. Otherwise set reach to Public.',
    ],
  },
  'replicas in one failure domain of a service that asks for more': {
    resources: [
      aSite('east', { labels: { 'topology.kubernetes.io/region': 'us' } }),
      door,
      model,
      aSplit('ml/chat', [to({ app: 'chat' })], { failureDomains: { min: 2 } }),
    ],
    want: [
      'ModelService ml/chat spec.failureDomains.min: its replicas are in us only, and failureDomains.min is 2. Set placement.spreadBy and placement.minDomains of its deployments.',
    ],
  },
  'an engine that answers to another name': {
    resources: [east, door, model, aSplit('ml/chat', [to({ app: 'chat' })], { servedModelName: 'qwen3' })],
    want: [
      "ModelService ml/chat spec.servedModelName: ModelDeployment ml/llama serves 'Qwen/Qwen3-8B', and requests for 'qwen3' reach it too. Let its engine serve 'qwen3' too.",
    ],
  },
  'engines that answer to different names, where nothing says which is requested': {
    resources: [
      east,
      door,
      model,
      aModel('ml/next', {
        replicaLabels: { app: 'chat' },
        engines: [{ name: 'main', members: [aMember({ template: CHAT })] }],
      }),
      chat,
    ],
    want: [
      "ModelService ml/chat spec.endpoints: ModelDeployment ml/llama serves 'Qwen/Qwen3-8B' and ModelDeployment ml/next serves 'chat', and requests for one name reach both. Set the same served model name in their engines.",
    ],
  },
  'an endpoint behind engines that does not list their model': {
    resources: [east, door, model, saas({ models: ['gpt-4o-mini'] }), withSaas({ tier: 1 })],
    want: [`${UNLISTED}. Set 'model: { as: gpt-4o-mini }' in its spec, or add the name to 'models'.`],
  },
  'an endpoint next to them that lists several others': {
    resources: [east, door, model, saas({ models: ['a', 'b'] }), withSaas({ weight: 5 })],
    want: [`${UNLISTED}. Set 'model.as' to the one that is meant (a, b), or add the name to 'models'.`],
  },
  'a credential that all callers on the way can read': {
    resources: [anEndpoint('ml/saas', { url: 'http://api.example.com', credential: { secretRef: { name: 'key' } } })],
    want: [
      'ModelEndpoint ml/saas spec.url: its credential is sent without TLS, so others on the network can read it. Use an address with https://.',
    ],
  },
};

describe('a plan warns of', () => {
  test.each(Object.entries(warnings))('%s', (_, { resources, want }) => {
    expect(warned(...resources)).toEqual(want);
  });

  const renamed = aModel('ml/llama', {
    replicaLabels: { app: 'chat' },
    engines: [
      {
        name: 'main',
        members: [
          aMember({
            template: { spec: { containers: [{ ...ENGINE, args: ['a/b', '--served-model-name', 'c', 'd'] }] } },
          }),
        ],
      },
    ],
  });

  test.each<[string, Resource[]]>([
    ['that rewrites the name', [model, saas({ models: ['x'], model: { as: 'x' } }), withSaas({ tier: 1 })]],
    ['that lists no models', [model, saas({}), withSaas({ tier: 1 })]],
    ['that lists another name of the model', [renamed, saas({ models: ['d'] }), withSaas({ tier: 1 })]],
    [
      'that gets other requests',
      [model, saas({ models: ['x'] }), withSaas({ match: { headers: { 'x-provider': 'saas' } } })],
    ],
  ])('no endpoint %s', (_, resources) => {
    expect(warned(east, door, ...resources)).toEqual([]);
  });

  test('nothing where networks are joined and domains are enough', () => {
    const labels = { 'fleetwright.dev/network': 'lan' };
    const sites = [aSite('east', { labels, gateway: { reach: 'Private' } }), aSite('west', { labels })];
    const service = aSplit('ml/chat', [to({ app: 'chat' })], { failureDomains: { min: 2 } });
    const both = aModel('ml/llama', { replicas: 2, replicaLabels: { app: 'chat' } });
    expect(warned(...sites, aDoor(['west']), both, service)).toEqual([]);
  });
});

const codesOf = ({ warnings: found }: ResolvedRouting) => found.map(({ code }) => code);

test('an entry whose replicas stay as they are, because of errors, is served', () => {
  const canary = aModel('ml/canary', { replicaLabels: { app: 'canary' } });
  const service = aSplit('ml/chat', [to({ app: 'chat' }), to({ app: 'canary' })]);
  const { fleet, replicas } = decided(east, door, model, canary, service);
  const [frozen, others] = [true, false].map((is) =>
    replicas.filter(({ deployment }) => (deployment.metadata.name === 'canary') === is),
  );
  expect(codesOf(resolveRouting(fleet, others!))).toContain('unserved-entry');
  expect(codesOf(resolveRouting(fleet, others!, { frozen: frozen!, lacksServices: false }))).not.toContain(
    'unserved-entry',
  );
});

test('a gateway without routes is not said to lack a service where one is declared that has errors', () => {
  const fleet = assemble([aClass('h100'), east, door]);
  const [ofDeployment, ofService] = ['ModelDeployment ml/q', 'ModelService ml/chat'].map((id) => {
    const { plan } = decide(fleet, byPath, EMPTY_LOCK, { notes: [], warnings: [], absent: [id] });
    return plan.notes.filter((note) => note.includes('no service is declared'));
  });
  expect(ofDeployment).toHaveLength(1);
  expect(ofService).toEqual([]);
});

const ALIAS = { group: 'modelplane.ai' } as const;
const peerDoor = parsed('InferenceGateway', 'default', { backend: 'Traefik', traefik: { version: '40.2.0' } }, ALIAS);
const peerSite = (name: string): Resource => aCluster(name, { pools: { h100: 4 }, ...ALIAS });

const notes: Record<string, Case> = {
  'a gateway of the alias group names the choices where it could are on several clusters': {
    resources: [peerSite('a'), peerSite('b'), peerDoor],
    want: [
      'InferenceGateway default has no routes: Set spec.clusters to some of a, b.',
      'InferenceGateway default has no routes: no service is declared.',
    ],
  },
  'what a cluster of the alias group says itself makes no routes': {
    resources: [
      aCluster('a', { pools: { h100: 4 }, labels: { site: 'a' }, gateway: { reach: 'Cluster', tls: TLS }, ...ALIAS }),
      aSite('west'),
      aDoor(['west']),
      chat,
      aModel('ml/llama', { on: ['a'], replicaLabels: { app: 'chat' } }),
    ],
    want: [
      `ModelService ml/chat without routes because of InferenceCluster a: ingress gateways on other clusters cannot reach it: its spec.gateway.reach is Cluster. Set spec.gateway.reach to Public or Private, ${OUT}.`,
    ],
  },
  'a service of the alias group that selects nothing has no routes': {
    resources: [east, door, model, parsed('ModelService', 'ml/chat', { endpoints: [to({ app: 'x' })] }, ALIAS)],
    want: [
      'ModelService ml/chat has no routes: its selector matches nothing in its namespace. Correct the selector, or label a deployment or an endpoint. Labels that exist: app: chat.',
      'No client can reach ModelDeployment ml/llama: declare a ModelService that selects it, or name the pods of clients in its networkPolicy.from.',
    ],
  },
  'services without a gateway have no address': {
    resources: [east, model, chat],
    want: ['ModelService ml/chat without routes: no InferenceGateway is declared.'],
  },
  'a gateway without services is idle': {
    resources: [east, door],
    want: ['InferenceGateway default has no routes: no service is declared.'],
  },
};

describe('a note says that', () => {
  test.each(Object.entries(notes))('%s', (_, { resources, want }) => {
    const { routing, plan } = decided(...resources);
    expect(plan.notes).toEqual(want);
    expect(routing).toEqual({ fronts: [], edges: [], egresses: [], services: [] });
  });
});

/** A deployment on cluster east. */
function onEast(): Resource {
  return aModel('ml/llama', { on: ['east'], replicaLabels: { app: 'chat' } });
}
