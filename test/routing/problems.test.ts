import type { Resource } from '../../src/api/kinds';
import { aMember, anEngine, anEndpoint, type Doc, parsed } from '../api/build';
import { aWorker } from '../render/dynamo/build';
import { aDoor, aModel, aSite, aSplit, to, wrong } from './build';

const east = aSite('east');
const door = aDoor(['east']);
const model = aModel('ml/llama', { replicaLabels: { app: 'chat' } });
const chat = aSplit('ml/chat', [to({ app: 'chat' })]);
const saas = anEndpoint('ml/saas', { labels: { app: 'saas' } });
const OUT = "or exclude these replicas from services with 'gateway: None'";
const TLS = "Add 'tls: { issuer: { name: ISSUER }, caRef: { name: CA } }' to spec.gateway, or certificates of your own";

const PUBLIC = {
  public: true,
  hostname: 'models.example.com',
  tls: { issuer: { name: 'public' } },
  auth: { apiKeys: [{ name: 'alice', secretRef: { name: 'keys' } }] },
};

const KEYS = { apiKeys: [{ name: 'alice', secretRef: { name: 'keys' } }] };

/** A public gateway, and services by their authentication. */
function exposed(auth: Doc | 'None' | undefined, ...services: (Doc | 'None' | undefined)[]): Resource[] {
  const declared = services.map((own, i) => aSplit(`ml/s${i}`, [to({ app: 'chat' })], own && { auth: own }));
  return [east, model, aDoor(['east'], { ...PUBLIC, auth }), ...declared];
}
const JWT = { jwt: { issuer: 'https://id.example.com', audiences: ['chat'], jwksUri: 'https://id.example.com/keys' } };

const KEY_VARIABLE = { name: 'VLLM_API_KEY', valueFrom: { secretKeyRef: { name: 'engine', key: 'key' } } };

/** A model whose engine is started with an argument or a variable. */
const started = (image: string, args: string[], env: object[] = []) =>
  aModel('ml/llama', {
    replicaLabels: { app: 'chat' },
    engines: [
      {
        name: 'main',
        members: [aMember({ gpus: 1, template: { spec: { containers: [{ name: 'engine', image, args, env }] } } })],
      },
    ],
  });
const keyed = (auth: object | string, model: Resource): Resource[] => [
  east,
  aDoor(['east'], { hostname: 'models.example.com', tls: { issuer: { name: 'public' } } }),
  model,
  aSplit('ml/chat', [to({ app: 'chat' })], { auth }),
];

type Case = { resources: Resource[]; want: string[] };

const inside = (cluster: string) =>
  anEndpoint('ml/saas', {
    labels: { app: 'saas' },
    url: undefined,
    inside: { cluster, llmInferenceService: 'chat' },
  });
const toSaas = aSplit('ml/chat', [to({ app: 'saas' })], { externalEndpoints: 'Forbidden' });

const errors: Record<string, Case> = {
  'a gateway reaches an endpoint inside its own cluster, which is not outside the fleet': {
    resources: [east, door, inside('east'), toSaas],
    want: [],
  },
  'no gateway reaches an endpoint inside another cluster': {
    resources: [east, aSite('west'), aDoor(['east', 'west']), inside('east'), toSaas],
    want: [
      'ModelService ml/chat spec.endpoints.0: ModelEndpoint ml/saas is inside cluster east, and the ingress gateways on west do not reach it. Use a fleet whose ingress gateways are on east alone, or declare the model as a ModelDeployment.',
    ],
  },
  'a picker does not choose workers of Dynamo': {
    resources: [
      aSite('east', { backend: { type: 'Dynamo' } }),
      door,
      aModel('ml/llama', { replicaLabels: { app: 'chat' }, engines: [aWorker('worker', { gpus: 1 })] }),
      aSplit('ml/chat', [to({ app: 'chat' })], { picker: { kind: 'PrefixCache' } }),
    ],
    want: [
      "ModelService ml/chat spec.picker.kind: ModelDeployment ml/llama: the frontend of Dynamo chooses the workers, and endpoint pickers do not see them. Remove 'picker', and set '--router-mode kv' of the frontend.",
    ],
  },
  'a gateway of several clusters says on which it stands': {
    resources: [east, aSite('west'), aDoor([])],
    want: [
      'InferenceGateway default spec.clusters: the gateway has no cluster. Set spec.clusters to some of east, west.',
    ],
  },
  'an edge that another cluster needs has a host name': {
    resources: [aSite('east', { gateway: { hostname: undefined } }), aSite('west'), aDoor(['west']), chat, onEast()],
    want: [
      `InferenceCluster east spec.gateway.hostname: ModelService ml/chat cannot be reached on cluster east: ingress gateways on other clusters have no host name for it. Set spec.gateway.hostname, ${OUT}.`,
    ],
  },
  'clusters without gateways are one problem, with their names': {
    resources: [
      aSite('east', { gateway: { hostname: undefined, tls: undefined } }),
      aSite('west', { gateway: { hostname: undefined, tls: undefined } }),
      aSite('north', { gateway: { tls: undefined } }),
      aDoor(['north']),
      chat,
      aModel('ml/llama', { replicas: 3, replicaLabels: { app: 'chat' }, engines: [anEngine('main', { gpus: 8 })] }),
    ],
    want: [
      `InferenceCluster east spec.gateway.tls: clusters east, north, west lack spec.gateway.tls, so gateways cannot reach ModelService ml/chat there. ${TLS}, and spec.gateway.hostname on east, west, or exclude the replicas on east, west from services with 'gateway: None'.`,
    ],
  },
  'fronts and edges have certificates': {
    resources: [aSite('east', { gateway: { tls: undefined } }), door, model, chat],
    want: [
      `InferenceCluster east spec.gateway.tls: cluster east lacks spec.gateway.tls, so gateways cannot reach ModelService ml/chat there. ${TLS}.`,
    ],
  },
  'a front without an edge next to it has a certificate too': {
    resources: [east, aSite('west', { gateway: { tls: undefined } }), aDoor(['west']), chat, onEast()],
    want: [
      `InferenceCluster west spec.gateway.tls: cluster west lacks spec.gateway.tls, so gateways cannot reach ModelService ml/chat there. ${TLS}.`,
    ],
  },
  'a cluster of an ingress gateway leaves it before its replicas leave services': {
    resources: [aSite('east', { gateway: { tls: undefined } }), aSite('west'), aDoor(['east', 'west']), chat, onEast()],
    want: [
      `InferenceCluster east spec.gateway.tls: cluster east lacks spec.gateway.tls, so gateways cannot reach ModelService ml/chat there. ${TLS}, ${OUT} after you remove east from spec.clusters of InferenceGateway default.`,
    ],
  },
  "a cluster of an ingress gateway that has 'gateway: None' leaves it": {
    resources: [aSite('east', { gateway: 'None' }), aSite('west'), aDoor(['east', 'west']), chat, model],
    want: [
      `InferenceCluster east spec.gateway.tls: cluster east lacks spec.gateway.tls, so gateways cannot reach ModelService ml/chat there. Set 'gateway: { hostname: HOST, tls: { issuer: { name: ISSUER }, caRef: { name: CA } } }', or certificates of your own, or remove east from spec.clusters of InferenceGateway default.`,
    ],
  },
  'certificates that the user brings are those of fronts too': {
    resources: [
      aSite('east', { gateway: { tls: { certificateRef: { name: 'edge' }, caRef: { name: 'ca' } } } }),
      door,
      model,
      chat,
    ],
    want: [
      'InferenceCluster east spec.gateway.tls.clientCertificateRef: ModelService ml/chat cannot be reached on cluster east: its ingress gateway has no client certificate for other clusters. Set spec.gateway.tls.clientCertificateRef, or use an issuer instead of certificateRef.',
    ],
  },
  'an edge for its cluster alone serves no front elsewhere': {
    resources: [aSite('east', { gateway: { reach: 'Cluster' } }), aSite('west'), aDoor(['west']), chat, onEast()],
    want: [
      `InferenceCluster east spec.gateway.reach: ModelService ml/chat cannot be reached on cluster east: ingress gateways on other clusters cannot reach it: its spec.gateway.reach is Cluster. Set spec.gateway.reach to Public or Private, ${OUT}.`,
    ],
  },
  'two gateways have two host names': {
    resources: [
      east,
      aDoor(['east'], { hostname: 'models.example.com' }),
      parsed('InferenceGateway', 'other', { clusters: ['east'], hostname: 'models.example.com' }),
    ],
    want: [
      "InferenceGateway other spec.hostname: InferenceGateway default has the host name 'models.example.com' too. Use another host name. For a gateway on several clusters, declare one InferenceGateway.",
    ],
  },
  'two edges have two host names': {
    resources: [east, aSite('west', { gateway: { hostname: 'edge.east.example.com' } })],
    want: [
      "InferenceCluster west spec.gateway.hostname: InferenceCluster east has the host name 'edge.east.example.com' too. Use another host name. For a gateway on several clusters, declare one InferenceGateway.",
    ],
  },
  'what a service keeps inside does not leave': {
    resources: [east, door, saas, aSplit('ml/chat', [to({ app: 'saas' })], { externalEndpoints: 'Forbidden' })],
    want: [
      "ModelService ml/chat spec.endpoints.0: the entry sends requests to ModelEndpoint ml/saas, and ModelService ml/chat forbids external endpoints. Remove the entry, or set 'externalEndpoints: Allowed' to allow that.",
    ],
  },
  'what a deployment keeps inside does not leave': {
    resources: [
      east,
      door,
      saas,
      forbidding(),
      aSplit('ml/chat', [to({ app: 'chat' }), to({ app: 'saas' }, { tier: 1 })]),
    ],
    want: [
      "ModelService ml/chat spec.endpoints.1: the entry sends requests to ModelEndpoint ml/saas, and ModelDeployment ml/llama forbids external endpoints. Remove the entry, or set 'externalEndpoints: Allowed' to allow that.",
    ],
  },
  'an endpoint serves the model of the service': {
    resources: [
      east,
      door,
      anEndpoint('ml/saas', { labels: { app: 'saas' }, models: ['a'] }),
      aSplit('ml/chat', [to({ app: 'saas' })], { servedModelName: 'b' }),
    ],
    want: [
      "ModelEndpoint ml/saas spec.models: the endpoint does not list 'b', which ModelService ml/chat requests. Add it, or set 'model.as' to the name that the endpoint uses.",
    ],
  },
  'an endpoint serves the model that takes the place of that name': {
    resources: [
      east,
      door,
      anEndpoint('ml/saas', { labels: { app: 'saas' }, models: ['a', 'b'], model: { as: 'c' } }),
      aSplit('ml/chat', [to({ app: 'saas' })], { servedModelName: 'b' }),
    ],
    want: [
      "ModelEndpoint ml/saas spec.models: the endpoint does not list 'c', to which 'model.as' rewrites. Add it, or correct 'model.as'.",
    ],
  },
  'a path of an endpoint is one': {
    resources: [anEndpoint('ml/saas', { rewritePath: 'v1' })],
    want: ["ModelEndpoint ml/saas spec.rewritePath: this is not a path. Start with '/', as in '/v1'."],
  },
  'a service at a public gateway asks for keys': {
    resources: exposed(KEYS, 'None', undefined),
    want: [
      "ModelService ml/s0 spec.auth: the service would accept requests from everyone: InferenceGateway default is public. Set apiKeys or jwt. That refuses clients without credentials; if the gateway has any, leave out 'public' and let clients move first to a second InferenceGateway that asks for credentials, then remove the first. To accept requests from everyone, set 'public: insecure' at the gateway.",
    ],
  },
  'a public gateway without keys is one for services with their own': {
    resources: exposed('None', KEYS, KEYS),
    want: [],
  },
  'several services without keys are one problem of the gateway that lost its own': {
    resources: exposed(undefined, KEYS, undefined, undefined),
    want: [
      "InferenceGateway default spec.public: a public gateway without auth accepts requests from everyone for ModelService ml/s1, ModelService ml/s2. Set 'auth: { apiKeys: [{ name: team-a, secretRef: { name: gateway-keys } }] }', here or in each of these services. That refuses clients without credentials; if this gateway has any, leave out 'public' and let clients move first to a second InferenceGateway that asks for credentials, then remove the first. To accept requests from everyone, set 'public: insecure' at this gateway.",
    ],
  },
  'a further service without keys is refused there': {
    resources: exposed('None', KEYS, undefined),
    want: [
      "ModelService ml/s1 spec.auth: the service would accept requests from everyone: InferenceGateway default is public and has no 'auth'. Set apiKeys or jwt. That refuses clients without credentials; if the gateway has any, leave out 'public' and let clients move first to a second InferenceGateway that asks for credentials, then remove the first. To accept requests from everyone, set 'public: insecure' at the gateway.",
    ],
  },
  'where no service has keys, the gateway is what lacks them': {
    resources: exposed(undefined, 'None', undefined),
    want: [
      "InferenceGateway default spec.public: a public gateway without auth accepts requests from everyone for ModelService ml/s1. Set 'auth: { apiKeys: [{ name: team-a, secretRef: { name: gateway-keys } }] }', here or in the service. That refuses clients without credentials; if this gateway has any, leave out 'public' and let clients move first to a second InferenceGateway that asks for credentials, then remove the first. To accept requests from everyone, set 'public: insecure' at this gateway.",
      "ModelService ml/s0 spec.auth: the service would accept requests from everyone: InferenceGateway default is public. Set apiKeys or jwt. That refuses clients without credentials; if the gateway has any, leave out 'public' and let clients move first to a second InferenceGateway that asks for credentials, then remove the first. To accept requests from everyone, set 'public: insecure' at the gateway.",
    ],
  },
  'a public gateway without keys and without services exposes nothing': { resources: exposed(undefined), want: [] },
  'an engine that requires a key gets none from a gateway that checks keys': {
    resources: keyed(KEYS, started('vllm/vllm-openai:v0.23.0', ['--model=a/b', '--api-key=s3cr3t'])),
    want: [
      "ModelDeployment ml/llama spec.template.spec.engines.0.members.0.template.spec.containers.0.args.1: the engine answers 401 to all requests for ModelService ml/chat: it requires the key of --api-key, and ingress gateways remove the keys and tokens of clients. Remove --api-key, because the gateway checks clients; or set 'auth: None' at the service, so that clients send the key of the engine.",
    ],
  },
  'an engine that requires a key of a variable gets none from a gateway that checks tokens': {
    resources: keyed(JWT, started('vllm/vllm-openai:v0.23.0', ['--model=a/b'], [KEY_VARIABLE])),
    want: [expect.stringContaining('it requires the key of VLLM_API_KEY') as never],
  },
  'a key of SGLang is removed too': {
    resources: keyed(
      KEYS,
      started('lmsysorg/sglang:v0.5.2', ['sglang', 'serve', '--model-path=a/b', '--api-key', '$(KEY)']),
    ),
    want: [expect.stringContaining('args.4: the engine answers 401') as never],
  },
  'an engine may require a key where a service leaves authentication to it': {
    resources: keyed('None', started('vllm/vllm-openai:v0.23.0', ['--model=a/b', '--api-key=s3cr3t'])),
    want: [],
  },
  'a rule has 16 different shares at most': {
    resources: [
      east,
      door,
      aSplit(
        'ml/chat',
        Array.from({ length: 17 }, (_, index) => to({ app: `saas-${index}` })),
      ),
      ...Array.from({ length: 17 }, (_, index) => anEndpoint(`ml/saas-${index}`, { labels: { app: `saas-${index}` } })),
    ],
    want: [
      'ModelService ml/chat spec.endpoints: it splits requests into 17 shares, by entry and by the number of replicas of a cluster, and a rule has at most 16. Place the same number of replicas on each cluster with maxPerCluster, select fewer, or split it into several services.',
    ],
  },
  'many members of equal shares are one': {
    resources: [
      east,
      door,
      aSplit('ml/chat', [to({ app: 'saas' })]),
      ...Array.from({ length: 40 }, (_, index) => anEndpoint(`ml/saas-${index}`, { labels: { app: 'saas' } })),
    ],
    want: [],
  },
  'a route has 16 rules at most': {
    resources: [
      east,
      door,
      model,
      aSplit(
        'ml/chat',
        Array.from({ length: 17 }, (_, index) => to({ app: 'chat' }, { match: { headers: { x: String(index) } } })),
      ),
    ],
    want: [
      'ModelService ml/chat spec.endpoints: it needs 17 rules for headers and adapters, and a route has at most 16. Split it into several services.',
    ],
  },
};

describe('a plan is refused unless', () => {
  test.each(Object.entries(errors))('%s', (_, { resources, want }) => {
    expect(wrong(...resources)).toEqual(want);
  });
});

/** A deployment on cluster east. */
function onEast(): Resource {
  return aModel('ml/llama', { on: ['east'], replicaLabels: { app: 'chat' } });
}

function forbidding(): Resource {
  const { spec } = model;
  return { ...model, spec: { ...spec, externalEndpoints: 'Forbidden' } };
}
