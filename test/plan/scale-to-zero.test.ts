import type { Resource } from '../../src/api/kinds';
import { releasesOf } from '../../src/provision/releases/cluster-releases';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { recordRevision } from '../../src/scheduler/previous-revision';
import { renderCluster } from '../../src/render/cluster';
import { formatRejectionReason } from '../../src/plan/rejection-messages';
import { formatRemedy } from '../../src/plan/remedy-messages';
import { aMember, anEngine, byPath, type Doc, listProblems } from '../api/build';
import { ofKind } from '../render/build';
import { aDoor, aModel, aSite, aSplit, decided, H100, to, wrong } from '../routing/build';

const ADD_ON = { servingStack: { kedaHttpAddOn: { install: true } } };

const site = (more: Doc = ADD_ON) => aSite('us', more);

const zero = (engine: Doc = {}, more: Doc = {}) =>
  aModel('ml/q', {
    replicaLabels: { model: 'q' },
    engines: [
      anEngine('main', {
        copies: { min: 0, max: 2 },
        scaling: { on: [{ running: 16 }], down: { after: '20m' } },
        startup: { budget: '10m' },
        ...engine,
      }),
    ],
    ...more,
  });

const chat = (spec: Doc = {}) => aSplit('ml/chat', [to({ model: 'q' })], spec);

const fleet = (service: Doc = {}, cluster: Doc = ADD_ON): Resource[] => [
  site(cluster),
  aDoor(['us']),
  zero(),
  chat(service),
];

const MIN = 'ModelDeployment ml/q spec.template.spec.engines.0.copies.min';
const SERVICE = 'ModelService ml/chat spec';

const rows: Record<string, { resources: Resource[]; want: string[] }> = {
  'is accepted where the HTTP add-on holds requests': { resources: fleet(), want: [] },
  'is accepted where the HTTP add-on is there already': {
    resources: fleet({}, { servingStack: { kedaHttpAddOn: { install: false } } }),
    want: [],
  },
  'is refused where nothing holds requests': {
    resources: fleet({}, {}),
    want: [
      `${MIN}: without a copy, requests fail: nothing on cluster 'us' holds them until the first copy serves. Set 'servingStack: { kedaHttpAddOn: { install: true } }' of the cluster for a Pulumi program to install the HTTP add-on of KEDA, or 'install: false' where you install it. Otherwise set min to 1.`,
    ],
  },
  'is accepted on the cluster of two whose HTTP add-on holds requests': {
    resources: [aSite('eu'), site(), aDoor(['eu', 'us']), zero(), chat()],
    want: [],
  },
  'is refused where nothing on two clusters holds requests, with one message': {
    resources: [aSite('eu'), site({}), aDoor(['eu', 'us']), zero(), chat()],
    want: [
      `${MIN}: without a copy, requests fail: nothing on the clusters with room for it ('eu', 'us') holds them until the first copy serves. Set 'servingStack: { kedaHttpAddOn: { install: true } }' of one of them for a Pulumi program to install the HTTP add-on of KEDA, or 'install: false' where you install it. Otherwise set min to 1.`,
    ],
  },
  'is refused without a service': {
    resources: [site(), zero()],
    want: [
      `${MIN}: no ModelService routes to the replica on cluster 'us', and only requests through gateways wait for the first copy. Route to it with a ModelService, or set min to 1.`,
    ],
  },
  'is refused for several replicas on a cluster': {
    resources: [site(), aDoor(['us']), zero({}, { replicas: 2 }), chat()],
    want: [
      `${MIN}: the plan has 2 replicas on cluster 'us', and each would start copies for the requests of all. Use one replica with more copies there, or set min to 1.`,
    ],
  },
  'is refused where the gateway ends requests earlier': {
    resources: fleet({ timeouts: { request: '5m', idle: '8m' } }),
    want: ['idle', 'request'].map(
      (field, i) =>
        `${SERVICE}.timeouts.${field}: a request to 'ml/q' can wait 10 minutes for the first copy, and the gateway ends it after ${[8, 5][i]}. Set it to 10m or more, here or at the gateway.`,
    ),
  },
  'is refused with the exact time where that is no whole number of minutes': {
    resources: fleet({ timeouts: { request: '90s' } }),
    want: [
      `${SERVICE}.timeouts.request: a request to 'ml/q' can wait 10 minutes for the first copy, and the gateway ends it after 90 seconds. Set it to 10m or more, here or at the gateway.`,
    ],
  },
  'is refused for a service that chooses pods': {
    resources: fleet({ picker: { kind: 'PrefixCache' } }),
    want: [
      `${SERVICE}.picker: the HTTP add-on of KEDA, which holds requests to 'ml/q', chooses the copy for each. Remove it, or set copies.min of the engine to 1.`,
    ],
  },
  'is refused for sessions that stay on a copy': {
    resources: fleet({ sessionAffinity: { header: 'x-session' } }),
    want: [
      `${SERVICE}.sessionAffinity: the HTTP add-on of KEDA, which holds requests to 'ml/q', chooses the copy for each. Remove it, or set copies.min of the engine to 1.`,
    ],
  },
};

/** More GPUs than are left on the cluster, or than any class has. */
const TALL = { members: [aMember({ gpus: 8 })] };

/** The fleet, without a place for the deployment. */
const full = (...more: Resource[]): Resource[] => [
  aSite('us', { ...ADD_ON, pools: { h100: 1 } }),
  aDoor(['us']),
  aModel('ml/a', { replicaLabels: { model: 'a' } }),
  ...more,
];

const unplaced: Record<string, { resources: Resource[]; want: string[] }> = {
  'is accepted where requests can wait': { resources: full(zero(TALL), chat()), want: [] },
  'is refused without a service': {
    resources: full(zero(TALL)),
    want: [
      `${MIN}: no ModelService routes to it, and only requests through gateways wait for the first copy. Route to it with a ModelService, or set min to 1.`,
    ],
  },
  'is refused where the gateway ends requests earlier': {
    resources: full(zero(TALL), chat({ timeouts: { request: '90s' } })),
    want: [
      `${SERVICE}.timeouts.request: a request to 'ml/q' can wait 10 minutes for the first copy, and the gateway ends it after 90 seconds. Set it to 10m or more, here or at the gateway.`,
    ],
  },
  'is refused for a service that chooses pods': {
    resources: full(zero(TALL), chat({ picker: { kind: 'PrefixCache' } })),
    want: [
      `${SERVICE}.picker: the HTTP add-on of KEDA, which holds requests to 'ml/q', chooses the copy for each. Remove it, or set copies.min of the engine to 1.`,
    ],
  },
};

test.each(Object.entries(unplaced))('an engine with no copy and no place %s', (_, { resources, want }) => {
  expect(wrong(...resources)).toEqual(want);
});

test.each(Object.entries(rows))('an engine with no copy %s', (_, { resources, want }) => {
  expect(wrong(...resources)).toEqual(want);
});

test('an engine with no copy can be replaced by a replica that starts first on the same cluster', () => {
  const before = decided(...fleet());
  const former = before.fleet.deployments.flatMap((one) => recordRevision(one) ?? []);
  const later = [site(), aDoor(['us']), zero({ gpus: 2 }), chat()];
  const { plan } = decide(assemble([H100, ...later]), byPath, before.lock, { former, notes: [], warnings: [] });
  expect(plan.deployments.map(({ changes }) => changes.map(({ action }) => action))).toEqual([['move']]);
});

test('an engine with no copy gets the errors of its signals and of its cluster at once', () => {
  const resources = [site({}), aDoor(['us']), zero({ scaling: { on: [{ running: 16 }, { queue: 4 }] } }), chat()];
  expect(wrong(...resources).map((error) => error.split(':')[0])).toEqual([MIN, MIN.replace('copies.min', 'scaling')]);
});

test('an engine with no copy has no place where nothing holds requests, and a remedy names all that is missing', () => {
  const scaling = { on: [{ running: 16 }, { queue: 4 }] };
  const sites = [aSite('eu', { ...ADD_ON, pools: { h100: 1 }, monitoring: {} }), site({})];
  const more = { members: [aMember({ gpus: 8 })], copies: { min: 0, max: 1 } };
  const { schedule } = decided(...sites, aDoor(['eu', 'us']), zero({ scaling, ...more }, { replicas: 2 }), chat());
  expect(schedule.placements.map(({ cluster }) => cluster)).toEqual(['eu']);
  const [short] = schedule.shortfalls;
  const declaring = short?.remedies.find(({ kind }) => kind === 'declare');
  expect(declaring && formatRemedy(declaring)).toBe(
    'declare spec.monitoring and spec.servingStack.kedaHttpAddOn of cluster us, if Prometheus runs there',
  );
  expect(short?.rejections.map(formatRejectionReason)).toContain(
    'both obstacles have to go: (1) scaling of engine main needs load metrics of Prometheus, and the cluster does not declare spec.monitoring; (2) copies.min 0 of engine main needs what holds requests until the first copy serves, and the cluster does not declare spec.servingStack.kedaHttpAddOn',
  );
});

test('an engine with no copy whose cluster lost its HTTP add-on is refused, wherever further replicas may go', () => {
  const before = decided(...fleet());
  const later = [H100, aSite('eu', ADD_ON), site({}), aDoor(['eu', 'us']), zero(), chat()];
  expect(listProblems(() => decide(assemble(later), byPath, before.lock))).toEqual([
    expect.stringMatching(/nothing on cluster 'us' holds them .* or exclude the cluster with clusterSelector\.$/),
  ]);
});

function objectsOf(...resources: Resource[]) {
  const { fleet: placed, replicas, routing, plan } = decided(...resources);
  return { manifests: renderCluster(placed.clusters[0]!, replicas, { fleet: placed, routing }), plan };
}

const HOST = '0.q.chat.ml.us.fleetwright.internal';
const PROXY = 'keda-add-ons-http-interceptor-proxy.keda.svc.cluster.local';

describe('the manifests of an engine with no copy', () => {
  const { manifests, plan } = objectsOf(...fleet());
  const specOf = (kind: string, name: RegExp): Doc =>
    ofKind(manifests, kind).find(({ metadata }) => name.test(metadata.name))!.spec as Doc;

  test('hold requests as long as a copy takes to serve, by the host of its route', () => {
    const service = ofKind(manifests, 'Service').find(({ metadata }) => metadata.name.startsWith('q-'));
    expect(specOf('InterceptorRoute', /^q-/)).toEqual({
      target: { service: service!.metadata.name, port: 8000 },
      rules: [{ hosts: [HOST] }],
      scalingMetric: { concurrency: { targetValue: 16 } },
      timeouts: { readiness: '10m', request: '0s', responseHeader: '0s' },
    });
  });

  test('start a copy for requests that the add-on counts, and keep it where a reading fails', () => {
    const [route] = ofKind(manifests, 'InterceptorRoute');
    expect(specOf('ScaledObject', /^q-/)).toMatchObject({
      minReplicaCount: 0,
      maxReplicaCount: 2,
      cooldownPeriod: 1200,
      fallback: { replicas: 1, behavior: 'currentReplicasIfHigher' },
      triggers: [{ type: 'external-push', metadata: { interceptorRoute: route!.metadata.name } }],
    });
  });

  test('send requests to the add-on, and answer health checks of gateways without a copy', () => {
    const route = specOf('HTTPRoute', /^chat-0-q-[0-9a-f]+$/) as { rules: { backendRefs?: Doc[]; filters: Doc[] }[] };
    expect(route.rules.map(({ backendRefs = [] }) => backendRefs.map(({ kind }) => kind))).toEqual([[], ['Backend']]);
    expect(specOf('Backend', /^chat-0-q-[0-9a-f]+$/)).toEqual({
      endpoints: [{ fqdn: { hostname: PROXY, port: 8080 } }],
    });
    expect(specOf('BackendTrafficPolicy', /^chat-0-q-/)).not.toHaveProperty('healthCheck');
  });

  test('let the add-on reach the engine', () => {
    expect(JSON.stringify(specOf('NetworkPolicy', /^q-0-/)['ingress'])).toContain(
      '"kubernetes.io/metadata.name":"keda"',
    );
  });

  test('need the kind of the add-on only where Fleetwright does not install it', () => {
    const kinds = (needs: typeof plan.mustExist) => needs.flatMap(({ objects }) => objects.map(({ name }) => name));
    const there = objectsOf(...fleet({}, { servingStack: { kedaHttpAddOn: { install: false } } })).plan;
    expect(kinds(plan.mustExist)).not.toContain('interceptorroutes.http.keda.sh');
    expect(kinds(there.mustExist)).toContain('interceptorroutes.http.keda.sh');
  });
});

test('the plan says how long clients wait for the first copy', () => {
  const pools = { h100: { nodeCount: 0, minNodeCount: 0, maxNodeCount: 4 } };
  const { notes } = decided(site({ ...ADD_ON, pools }), aDoor(['us']), zero(), chat()).plan;
  expect(notes.join('\n')).toContain(
    'Without a copy, requests wait for the first one, at most 23 minutes: clients of OpenAI end a request after 10, unless they set a timeout.',
  );
});

test('the HTTP add-on is installed after KEDA, and finishes responses before a proxy ends', () => {
  const cluster = site({ servingStack: { keda: { install: true }, kedaHttpAddOn: { install: true } } });
  const release = releasesOf(cluster, assemble([H100, cluster])).find(({ name }) => name === 'keda-add-ons-http');
  expect(release).toMatchObject({
    namespace: 'keda',
    version: '0.15.0',
    needs: expect.arrayContaining(['keda']),
    values: { interceptor: { drainTimeout: '600s' } },
  });
});
