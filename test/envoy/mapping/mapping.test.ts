import type { Json, Manifest } from '../../../src/manifest/kubernetes/manifest';
import { askedOfIssuers, issuedCertificates } from './issued-certificates';
import { onlyGateway } from './only-gateway';
import { readableKinds } from './readable-kinds';
import { servicesAsBackends } from './services-as-backends';
import { tablesAsPatches } from './tables-as-patches';

type Spec = Record<string, Json>;

function manifest(kind: string, name: string, spec: Spec = {}): Manifest {
  return { apiVersion: 'v1', kind, metadata: { name, namespace: 'team-a', labels: {} }, spec };
}

function gateway(name: string): Manifest {
  return manifest('Gateway', name, { infrastructure: { parametersRef: { name: `${name}-proxy` } } });
}

const onePod = (): { address: string; port: number }[] => [{ address: '198.18.2.1', port: 8000 }];

const names = (manifests: readonly Manifest[]): string[] =>
  manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);

describe('what file mode cannot take', () => {
  it('is other Gateways, with what stands on them', () => {
    const route = (name: string, on: string): Manifest => manifest('HTTPRoute', name, { parentRefs: [{ name: on }] });
    const patch = (name: string, on: string): Manifest =>
      manifest('EnvoyPatchPolicy', name, { targetRef: { name: on } });
    const all = [
      gateway('edge'),
      gateway('front'),
      manifest('EnvoyProxy', 'edge-proxy'),
      manifest('EnvoyProxy', 'front-proxy'),
      route('a', 'edge'),
      route('b', 'front'),
      patch('a', 'edge'),
      patch('b', 'front'),
      manifest('Secret', 'keys'),
    ];
    expect(names(onlyGateway(all, 'edge'))).toEqual([
      'Gateway edge',
      'EnvoyProxy edge-proxy',
      'HTTPRoute a',
      'EnvoyPatchPolicy a',
      'Secret keys',
    ]);
  });

  it('is kinds that Envoy Gateway does not read', () => {
    const all = [manifest('Deployment', 'a'), manifest('HTTPRoute', 'b'), manifest('Certificate', 'c')];
    expect(names(readableKinds(all))).toEqual(['HTTPRoute b']);
  });

  it('is tables of sessions', () => {
    const consistentHash = { type: 'Headers', headers: [{ name: 'x-session' }] };
    const targetRefs = [{ kind: 'HTTPRoute', name: 'chat' }];
    const spec = { targetRefs, retry: {}, loadBalancer: { type: 'ConsistentHash', consistentHash } };
    const rules = [{ filters: [] }, { backendRefs: [{ name: 'a' }] }];
    const other = manifest('BackendTrafficPolicy', 'b', { loadBalancer: { type: 'LeastRequest' } });
    const route = manifest('HTTPRoute', 'chat', { rules });
    const [policy, patch, ...rest] = tablesAsPatches(
      [manifest('BackendTrafficPolicy', 'a', spec), other, route],
      'front',
    );
    expect(policy?.spec).toEqual({ targetRefs, retry: {} });
    expect(rest).toEqual([other, route]);
    expect(patch?.spec).toMatchObject({ targetRef: { name: 'front' }, priority: -1 });
    const made = patch?.spec?.['jsonPatches'] as { name: string; operation: Spec }[];
    expect(made.map(({ name, operation }) => [name, operation['path']])).toEqual([
      ['httproute/team-a/chat/rule/1', '/load_balancing_policy'],
      ['fleetwright-system/front/https', 'hash_policy'],
    ]);
    expect(made[1]?.operation['value']).toEqual([{ header: { header_name: 'x-session' } }]);
  });

  it('is routes to Services, and grants for them', () => {
    const backendRefs = [
      { name: 'llama', port: 8000, weight: 3 },
      { kind: 'Service', name: 'other', namespace: 'team-b' },
      { kind: 'Backend', name: 'own' },
    ];
    const grant = manifest('ReferenceGrant', 'grant', { to: [{ group: '', kind: 'Service' }] });
    const mapped = servicesAsBackends([manifest('HTTPRoute', 'a', { rules: [{ backendRefs }] }), grant], onePod);
    const group = 'gateway.envoyproxy.io';
    expect(mapped[0]?.spec?.['rules']).toEqual([
      {
        backendRefs: [
          { group, kind: 'Backend', name: 'service-llama', weight: 3 },
          { group, kind: 'Backend', name: 'service-other', namespace: 'team-b' },
          { kind: 'Backend', name: 'own' },
        ],
      },
    ]);
    expect(mapped[1]?.spec).toEqual({ to: [{ group, kind: 'Backend' }] });
    expect(mapped.slice(2).map(({ metadata, spec }) => [metadata.name, metadata.namespace, spec])).toEqual([
      ['service-llama', 'team-a', { endpoints: [{ ip: { address: '198.18.2.1', port: 8000 } }] }],
      ['service-other', 'team-b', { endpoints: [{ ip: { address: '198.18.2.1', port: 8000 } }] }],
    ]);
  });

  it('is questions to Services, and those to Services of another namespace', () => {
    const backendRefs = [{ kind: 'Service', name: 'picker', namespace: 'system', port: 9002 }];
    const policy = manifest('EnvoyExtensionPolicy', 'a', {
      extProc: [{ backendRefs, messageTimeout: '5s' }],
    });
    const [mapped, made] = servicesAsBackends([policy], onePod);
    const backend = { group: 'gateway.envoyproxy.io', kind: 'Backend', name: 'service-picker' };
    expect(mapped?.spec).toEqual({
      extProc: [{ backendRefs: [backend], messageTimeout: '5s' }],
    });
    expect(made?.metadata).toMatchObject({ name: 'service-picker', namespace: 'team-a' });
  });

  it('is certificates that an issuer has to make', () => {
    const spec = {
      secretName: 'tls',
      dnsNames: ['edge.example.test'],
      usages: ['digital signature', 'client auth'],
      issuerRef: { name: 'fleet-ca' },
    };
    const all = [manifest('Certificate', 'tls', spec), manifest('Secret', 'keys')];
    expect(askedOfIssuers('us-east', all)).toEqual([
      { name: 'us-east.tls', issuer: 'fleet-ca', dns: ['edge.example.test'], use: 'client' },
    ]);
    const [made, ...others] = issuedCertificates('us-east', all, (name) => ({
      cert: `${name} cert`,
      key: 'key',
    }));
    expect(others).toEqual([]);
    expect(made).toMatchObject({
      kind: 'Secret',
      type: 'kubernetes.io/tls',
      metadata: { name: 'tls', namespace: 'team-a' },
      data: { 'tls.crt': Buffer.from('us-east.tls cert').toString('base64') },
    });
  });
});
