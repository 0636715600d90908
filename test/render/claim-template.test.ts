import { renderClaimTemplate } from '../../src/render/claim-template';
import { aDeployment, aMember, anEngine, type Doc, request } from '../api/build';
import { aReplica, gangWith, manifestsOf, ofKind, withContainer } from './build';

/** The claim templates of a deployment whose requests are all bound to one device class. */
function templates(deployment: ReturnType<typeof aDeployment>, deviceClassName = 'gpu.nvidia.com') {
  return ofKind(manifestsOf(deployment, { deviceClassName }), 'ResourceClaimTemplate');
}

function templateName(...args: Parameters<typeof templates>): string {
  return templates(...args)[0]!.metadata.name;
}

describe('a ResourceClaimTemplate', () => {
  const twoRequests = aDeployment('ml/qwen3', {
    engines: [anEngine('main', { devices: [request('nic', 1, 'a', 'b'), request('gpu', 8)] })],
  });

  test('holds the requests of a pod in the order in which the matcher put them', () => {
    const [template, ...others] = templates(twoRequests);
    expect(others).toEqual([]);
    const exactly = { deviceClassName: 'gpu.nvidia.com', allocationMode: 'ExactCount' };
    const gpu = 'device.driver == "gpu.nvidia.com"';
    const requests = [
      {
        name: 'nic',
        exactly: {
          ...exactly,
          count: 1,
          selectors: [{ cel: { expression: 'a' } }, { cel: { expression: 'b' } }],
        },
      },
      { name: 'gpu', exactly: { ...exactly, count: 8, selectors: [{ cel: { expression: gpu } }] } },
    ];
    expect(template!.apiVersion).toBe('resource.k8s.io/v1');
    expect(template!.spec).toEqual({ spec: { devices: { requests } } });
  });

  test('takes a part of a device in the forms that state one', () => {
    const form = { claimedAs: 'gpu.nvidia.com', count: 1, selectors: [] };
    const forms = [
      { name: 'a', ...form, capacity: { memory: '4Gi' } },
      { name: 'b', ...form },
    ];
    const replica = aReplica(
      aDeployment('ml/qwen3', { engines: [anEngine('main', { devices: [request('gpu', 1)] })] }),
    );
    const [engine] = replica.engines;
    const member = { ...engine!.members[0]!, claims: [{ request: 'gpu', forms }] };
    const { spec } = renderClaimTemplate(replica, engine!, member)!;
    const [only] = (spec as { spec: { devices: { requests: Doc[] } } }).spec.devices.requests;
    const capacities = (only!['firstAvailable'] as Doc[]).map(({ capacity }) => capacity);
    expect(capacities).toEqual([{ requests: { memory: '4Gi' } }, undefined]);
  });

  test('takes all devices in the forms that ask for them, without a count', () => {
    const form = { claimedAs: 'tpu.google.com', count: 4, selectors: [] };
    const replica = aReplica(
      aDeployment('ml/qwen3', { engines: [anEngine('main', { devices: [request('tpu', 1)] })] }),
    );
    const [engine] = replica.engines;
    const member = { ...engine!.members[0]!, claims: [{ request: 'tpu', forms: [{ ...form, all: true as const }] }] };
    const { spec } = renderClaimTemplate(replica, engine!, member)!;
    const [only] = (spec as { spec: { devices: { requests: Doc[] } } }).spec.devices.requests;
    expect(only).toEqual({
      name: 'tpu',
      exactly: { deviceClassName: 'tpu.google.com', allocationMode: 'All', selectors: [] },
    });
  });

  test('tells drivers and taints of each request, whichever form it has', () => {
    const tolerations = [{ key: 'example.com/old', operator: 'Exists', effect: 'NoSchedule' }];
    const parameters = { kind: 'GpuConfig', sharing: { strategy: 'TimeSlicing' } };
    const config = [{ driver: 'gpu.nvidia.com', parameters }];
    const devices = [{ ...request('gpu', 2, 'a'), tolerations, config }, request('nic', 1, 'b')];
    const [template] = templates(aDeployment('ml/qwen3', { engines: [anEngine('main', { devices })] }));
    const { devices: emitted } = (template!.spec as { spec: { devices: Doc } }).spec;
    expect(emitted).toMatchObject({
      requests: [{ exactly: { tolerations } }, {}],
      config: [{ requests: ['gpu'], opaque: { driver: 'gpu.nvidia.com', parameters } }],
    });
    expect(JSON.stringify((emitted['requests'] as Doc[])[1])).not.toContain('tolerations');
  });

  test('tolerates in every alternative', () => {
    const tolerations = [{ operator: 'Exists' }];
    const forms = ['a', 'b'].map((name) => ({ name, claimedAs: 'gpu.nvidia.com', count: 1, selectors: [] }));
    const firstAvailable = ['a', 'b'].map((name) => ({ name, selectors: [{ cel: 'true' }] }));
    const devices = [{ name: 'gpu', tolerations, firstAvailable }];
    const replica = aReplica(aDeployment('ml/qwen3', { engines: [anEngine('main', { devices })] }));
    const [engine] = replica.engines;
    const member = { ...engine!.members[0]!, claims: [{ request: 'gpu', forms }] };
    const { spec } = renderClaimTemplate(replica, engine!, member)!;
    const [only] = (spec as { spec: { devices: { requests: Doc[] } } }).spec.devices.requests;
    expect((only!['firstAvailable'] as Doc[]).map((form) => form['tolerations'])).toEqual([tolerations, tolerations]);
  });

  test('stays when its manifest goes, whoever applies it', () => {
    expect(templates(twoRequests)[0]!.metadata.annotations).toEqual({
      'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
      'argocd.argoproj.io/sync-options': 'Prune=false',
      'kustomize.toolkit.fluxcd.io/prune': 'disabled',
    });
  });

  test('says what it is for, but not for which replica', () => {
    const { metadata } = templates(twoRequests)[0]!;
    expect(metadata.namespace).toBe('ml');
    expect(metadata.labels).toEqual({
      'app.kubernetes.io/name': 'qwen3',
      'app.kubernetes.io/component': 'main',
      'app.kubernetes.io/managed-by': 'fleetwright',
      'fleetwright.dev/deployment': 'qwen3',
      'fleetwright.dev/cluster': 'gke',
      'fleetwright.dev/engine': 'main',
      'fleetwright.dev/role': 'Standalone',
    });
  });

  test('is what the pod refers to', () => {
    const manifests = manifestsOf(gangWith({}));
    const names = ofKind(manifests, 'ResourceClaimTemplate').map(({ metadata }) => metadata.name);
    const set = JSON.stringify(ofKind(manifests, 'LeaderWorkerSet'));
    expect(names).toHaveLength(2);
    for (const name of names) expect(set).toContain(`[{"name":"devices","resourceClaimTemplateName":"${name}"}]`);
  });

  test('has another name when its content changes, and the same when only labels do', () => {
    const before = templateName(withContainer({}));
    expect(templateName(withContainer({}), 'other.example.com')).not.toBe(before);
    expect(templateName(withContainer({}, { replicaLabels: { team: 'ml' } }))).toBe(before);
    expect(templateName(withContainer({ image: 'other' }))).toBe(before);
  });

  test('is absent for a member that claims nothing', () => {
    const members = [aMember({ role: 'Leader', gpus: 0 }), aMember({ role: 'Worker', gpus: 8 })];
    const found = templates(aDeployment('ml/qwen3', { engines: [{ name: 'main', members }] }));
    expect(found.map(({ metadata }) => metadata.labels['fleetwright.dev/role'])).toEqual(['Worker']);
  });
});
