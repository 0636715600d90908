import { parse } from 'yaml';
import type { Resource } from '../../src/api/kinds';
import { assemble } from '../../src/fleet/fleet';
import type { Manifest } from '../../src/manifest/kubernetes/manifest';
import { decide } from '../../src/plan/decide';
import { renderCluster } from '../../src/render/cluster';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { anEngine, byPath, type Doc } from '../api/build';
import { aDoor, aModel, aSite, aSplit, H100, to } from '../routing/build';

const app = { app: 'chat' };
const engines = [anEngine('prefill', { phase: 'Prefill' }), anEngine('decode', { phase: 'Decode' })];
const pair = aModel('ml/pair', { replicaLabels: app, serving: { mode: 'PrefillDecode' }, engines });
const site = aSite('a');

function rendered(...resources: Resource[]): Manifest[] {
  const { fleet, replicas, routing } = decide(assemble([H100, site, ...resources]), byPath, EMPTY_LOCK);
  return renderCluster(site, replicas, { fleet, routing });
}

function named(manifests: readonly Manifest[], kind: string, start: string): Manifest {
  return manifests.find((one) => one.kind === kind && one.metadata.name.startsWith(start))!;
}

const alone = rendered(pair);
const routed = rendered(pair, aDoor(['a']), aSplit('ml/chat', [to(app)]));

/** The Service of the deployment: that of the replicas without a role of its own. */
function serviceOf(manifests: readonly Manifest[]): Manifest {
  return manifests.find(({ kind, metadata }) => kind === 'Service' && /^pair-[0-9a-f]{6}$/.test(metadata.name))!;
}

describe('a pair without routes', () => {
  const proxy = named(alone, 'Deployment', 'pair-proxy');
  const picker = named(alone, 'Deployment', 'pair-picker');
  const template = proxy.spec!['template'] as { metadata: { labels: Doc } };

  test('has a Service that leads to proxies, and not to decode engines alone', () => {
    expect(template.metadata.labels).toMatchObject(serviceOf(alone).spec!['selector'] as Doc);
    expect(proxy.spec).toMatchObject({ replicas: 2 });
  });

  test('has proxies that ask a picker in its namespace, and go on without it', () => {
    const { data } = named(alone, 'ConfigMap', 'pair-proxy') as unknown as { data: Record<string, string> };
    const config = JSON.stringify(parse(data['envoy.yaml']!));
    expect(picker.metadata.namespace).toBe('ml');
    const service = named(alone, 'Service', 'pair-picker').metadata.name;
    const pods = named(alone, 'Service', 'pair-pods');
    expect(pods.spec).toMatchObject({ clusterIP: 'None', selector: { 'llm-d.ai/role': 'decode' } });
    for (const host of [service, pods.metadata.name]) expect(config).toContain(`"${host}.ml.svc.cluster.local"`);
    expect(config).toContain('"failure_mode_allow":true');
    expect(config).toContain('"no_traffic_interval":"1s"');
    expect(config).toContain('"override_host_sources":[{"header":"x-gateway-destination-endpoint"}]');
    expect(config).toContain('{"remove":"x-prefiller-host-port"}');
  });

  test('has a picker that knows both engines', () => {
    const { data } = named(alone, 'ConfigMap', 'pair-picker') as unknown as { data: Record<string, string> };
    expect(data['picker.yaml']).toContain('prefix-based-pd-decider');
  });

  test('lets the proxies reach engines, and the proxies alone reach the picker', () => {
    const selector = { podSelector: { matchLabels: { 'app.kubernetes.io/instance': proxy.metadata.name } } };
    const policies = alone.filter(({ kind }) => kind === 'NetworkPolicy');
    const from = policies.map(({ metadata, spec }) => {
      const [first] = spec!['ingress'] as { from: unknown[] }[];
      return [
        metadata.name.replace(/-[0-9a-f]+$/, ''),
        first!.from.some((one) => JSON.stringify(one) === JSON.stringify(selector)),
      ];
    });
    expect(Object.fromEntries(from)).toEqual({ 'pair-0': true, 'pair-picker': true, 'pair-proxy': false });
  });

  test('has no pod of these that counts as one of a replica', () => {
    for (const { spec } of [proxy, picker]) {
      expect(JSON.stringify(spec)).not.toContain('"fleetwright.dev/deployment":');
    }
  });
});

describe('no proxy is before', () => {
  const cases: Record<string, Manifest[]> = {
    'a pair with routes, whose gateway asks a picker': routed,
    'an engine that serves alone': rendered(aModel('ml/pair', { replicaLabels: app })),
  };
  test.each(Object.entries(cases))('%s', (_, manifests) => {
    expect(named(manifests, 'Deployment', 'pair-proxy')).toBeUndefined();
    expect(serviceOf(manifests).spec!['selector']).toMatchObject({ 'fleetwright.dev/deployment': 'pair' });
  });
});
