import { ApiObject, App, Chart, JsonPatch } from 'cdk8s';
import type { Renderer } from 'fleetwright';
import { Fleet, InferenceClass, InferenceCluster, InferenceGateway, ModelService } from '../../constructs/index';
import { cluster, deployment, EIGHT_GPUS, refusal } from './build';

/** A fleet with a service at a gateway of its cluster. */
function served(app = new App()): Fleet {
  const fleet = new Fleet(app, 'main');
  new InferenceClass(fleet, 'h100', EIGHT_GPUS);
  const tls = { issuer: { name: 'fleet' }, caRef: { name: 'ca' } };
  new InferenceCluster(fleet, 'west', { ...cluster('h100'), gateway: { hostname: 'edge.test', tls } });
  const apiKeys = [{ name: 'alice', secretRef: { name: 'keys' } }];
  new InferenceGateway(fleet, 'public', {
    clusters: ['west'],
    hostname: 'models.test',
    public: true,
    tls: { issuer: { name: 'public' } },
    auth: { apiKeys },
  });
  deployment(fleet);
  const selector = { matchLabels: { 'fleetwright.dev/deployment': 'q' } };
  new ModelService(fleet, 'chat', { namespace: 'ml', endpoints: [{ selector }] });
  return fleet;
}

/** A route of the user, in a chart of theirs, at the front of a cluster. */
function routeOf(scope: Chart, chart: Chart): void {
  const front = chart.apiObjects.find(({ kind, name }) => kind === 'Gateway' && name.startsWith('front-'))!;
  new ApiObject(scope, 'route', {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name: 'own', namespace: 'ml' },
    spec: {
      parentRefs: [{ name: front.name, namespace: 'fleetwright-system' }],
      rules: [{ filters: [{ type: 'RequestRedirect' }] }],
    },
  });
}

/** A chart of the user beside those of clusters. */
const other = (chart: Chart): Chart => new Chart(chart.node.root, 'other');

/** What cdk8s says when an app is synthesized after a program touched the chart of its cluster. */
function synthesized(touch: (chart: Chart) => void): string {
  const app = new App();
  touch(served(app).place({ lock: 'ephemeral' }).charts.get('west')!);
  try {
    app.synthYaml();
  } catch (error) {
    return (error as Error).message;
  }
  return 'fine';
}

const find = (chart: Chart, kind: string): ApiObject => chart.apiObjects.find((one) => one.kind === kind)!;

function ownPolicy(chart: Chart, name: string, more: object = { jwt: {} }): void {
  new ApiObject(chart, 'own', {
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'SecurityPolicy',
    metadata: { name: 'own', namespace: 'ml' },
    spec: { targetRefs: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name }], ...more },
  });
}

describe('routes of a program', () => {
  test('are fine as they are', () => expect(synthesized(() => {})).toBe('fine'));

  test('may be patched', () => {
    const change = JsonPatch.replace('/spec/retry/numRetries', 3);
    expect(synthesized((chart) => find(chart, 'BackendTrafficPolicy').addJsonPatch(change))).toBe('fine');
  });

  const cases: Record<string, { touch: (chart: Chart) => void; want: RegExp }> = {
    'refuse a policy for what is not there': {
      touch: (chart) => ownPolicy(chart, 'chta'),
      want: /\[west\] chart west, SecurityPolicy ml\/own: HTTPRoute ml\/chta does not exist/,
    },
    'refuse a second policy': {
      touch: (chart) => ownPolicy(chart, find(chart, 'SecurityPolicy').name.replace('answers', '')),
      want: /has a SecurityPolicy already/,
    },
    'refuse to lose what guards them': {
      touch: (chart) => chart.node.tryRemoveChild(find(chart, 'SecurityPolicy').node.id),
      want: /HTTPRoute ml\/chat-public-[0-9a-f]+: the route accepts requests from everyone/,
    },
    'refuse a patch that leaves codes without their trigger': {
      touch: (chart) => {
        const front = chart.apiObjects.find(
          ({ kind, name }) => kind === 'BackendTrafficPolicy' && name.startsWith('chat-public'),
        )!;
        front.addJsonPatch(JsonPatch.replace('/spec/retry/retryOn/triggers', ['reset']));
      },
      want: /the codes 429, 503 are never retried/,
    },
  };
  test.each(Object.entries(cases))('%s', (_, { touch, want }) => expect(synthesized(touch)).toMatch(want));

  describe('next to other charts of the program', () => {
    const beside: Record<string, { touch: (chart: Chart) => void; want: RegExp }> = {
      'refuse a second policy': {
        touch: (chart) => ownPolicy(other(chart), find(chart, 'SecurityPolicy').name),
        want: /\[west\] chart other, SecurityPolicy ml\/own: .* has a SecurityPolicy already/,
      },
      'refuse a route that lets all callers in': {
        touch: (chart) => routeOf(other(chart), chart),
        want: /\[west\] chart other, HTTPRoute ml\/own: the route accepts requests from everyone/,
      },
      'take a route with its policy': {
        touch: (chart) => {
          const own = other(chart);
          routeOf(own, chart);
          ownPolicy(own, 'own');
        },
        want: /^fine$/,
      },
      'have no say in what is for others': {
        touch: (chart) => ownPolicy(other(chart), 'somewhere', { cors: {} }),
        want: /^fine$/,
      },
      'find there what they lack': {
        touch: (chart) => {
          ownPolicy(chart, 'own');
          routeOf(other(chart), chart);
        },
        want: /^fine$/,
      },
    };
    test.each(Object.entries(beside))('%s', (_, { touch, want }) => expect(synthesized(touch)).toMatch(want));
  });

  test('are looked at again after they were changed', async () => {
    const app = new App();
    const chart = served(app).place({ lock: 'ephemeral' }).charts.get('west')!;
    chart.toJson();
    await Promise.resolve();
    ownPolicy(chart, 'chta');
    expect(() => chart.toJson()).toThrow(/does not exist/);
  });

  test('are looked at once for all charts that are written', () => {
    const app = new App();
    const chart = served(app).place({ lock: 'ephemeral' }).charts.get('west')!;
    const written = jest.spyOn(find(chart, 'HTTPRoute'), 'toJson');
    app.synthYaml();
    app.synthYaml();
    // Twice to write it, and once to look at it.
    expect(written).toHaveBeenCalledTimes(3);
  });

  test('are looked at next to what other renderers make', () => {
    const house: Renderer = {
      name: 'house',
      version: 1,
      reject: () => undefined,
      render: () => [
        {
          apiVersion: 'gateway.networking.k8s.io/v1',
          kind: 'HTTPRoute',
          metadata: { name: 'own', namespace: 'ml', labels: {} },
          spec: { rules: [{ backendRefs: [{ name: 'own', namespace: 'other', port: 80 }] }] },
        },
      ],
    };
    expect(refusal(() => served().place({ lock: 'ephemeral', renderers: [house] }))).toEqual([
      'cluster west, HTTPRoute ml/own: it refers to Service other/own, and no ReferenceGrant in namespace other allows it. Add one there, from HTTPRoute of namespace ml.',
    ]);
  });
});
