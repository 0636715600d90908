import { modernizeDeviceRequests } from '../../src/api/older-device-requests';
import { loadManifests } from '../../src/manifest/load-manifests';
import type { Doc } from './build';

const CEL = 'device.driver == "gpu.nvidia.com"';
const GPU = { name: 'gpu', count: 8, selectors: [{ cel: CEL }] };
const TEMPLATE = { spec: { containers: [{ name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args: ['m'] }] } };

interface Parts {
  spec?: Doc;
  replica?: Doc;
  members?: Doc[];
}

function deployment({ spec, replica, members = [{}] }: Parts): Doc {
  const engines = [{ name: 'main', members: members.map((member) => ({ ...member, template: TEMPLATE })) }];
  return {
    apiVersion: 'modelplane.ai/v1alpha1',
    kind: 'ModelDeployment',
    metadata: { name: 'm', namespace: 'ml' },
    spec: { replicas: 1, ...spec, template: { spec: { engines, ...replica } } },
  };
}

const today = (...requests: Doc[]): Parts => ({ members: [{ nodeSelector: { devices: requests } }] });

describe('device requests of earlier releases are those of members', () => {
  const cases: Record<string, { older: Parts; want: Parts }> = {
    'where the deployment has them': { older: { spec: { nodeSelector: { devices: [GPU] } } }, want: today(GPU) },
    'where its replicas have them': { older: { replica: { deviceRequests: [GPU] } }, want: today(GPU) },
    'where a member has a list of them': { older: { members: [{ deviceRequests: [GPU] }] }, want: today(GPU) },
    'of every member': {
      older: { spec: { deviceRequests: [GPU] }, members: [{ role: 'Leader' }, { role: 'Worker' }] },
      want: {
        members: ['Leader', 'Worker'].map((role) => ({ nodeSelector: { devices: [GPU] }, role })),
      },
    },
    'where expressions are those of a ResourceClaim': {
      older: today({ ...GPU, selectors: [{ cel: { expression: CEL } }] }),
      want: today(GPU),
    },
    'where expressions are plain texts': { older: today({ ...GPU, selectors: [CEL] }), want: today(GPU) },
    'where a request is exact': {
      older: today({ name: 'gpu', exactly: { count: 8, selectors: [{ cel: { expression: CEL } }] } }),
      want: today(GPU),
    },
    'where a known class of devices is named': {
      older: today({ name: 'gpu', deviceClassName: 'efa.networking.k8s.aws', count: 8 }),
      want: today({ name: 'gpu', count: 8, selectors: [{ cel: 'device.driver == "dra.net"' }] }),
    },
  };
  test.each(Object.entries(cases))('%s', (_, { older, want }) => {
    const modern = modernizeDeviceRequests(deployment(older));
    expect(modern).toEqual(deployment(want));
    expect(modernizeDeviceRequests(modern)).toBe(modern);
  });
});

describe('a document stays the same', () => {
  const cases: Record<string, Doc> = {
    'where members have the requests': deployment(today(GPU)),
    'where it is unclear for which members they are': deployment({
      spec: { nodeSelector: { devices: [GPU] } },
      ...today(GPU),
    }),
    'where both the deployment and its replicas have them': deployment({
      spec: { deviceRequests: [GPU] },
      replica: { deviceRequests: [GPU] },
    }),
    'where no one knows the class of devices': deployment(today({ name: 'gpu', deviceClassName: 'own' })),
    'where it is of another kind': { ...deployment({ spec: { deviceRequests: [GPU] } }), kind: 'ModelService' },
    'where it is malformed': {
      kind: 'ModelDeployment',
      spec: { nodeSelector: 1, template: { spec: { engines: [1] } } },
    },
  };
  test.each(Object.entries(cases))('%s', (_, document) => {
    expect(modernizeDeviceRequests(document)).toBe(document);
  });
});

test('older requests load with a warning where to find help, and only in the group that had them', () => {
  const older = deployment({ spec: { nodeSelector: { devices: [GPU] } } });
  const loaded = loadManifests([{ path: 'a.yaml', text: JSON.stringify(older) }]);
  expect(loaded.problems).toEqual([]);
  expect(loaded.older).toMatchObject([{ code: 'older-spelling', at: 'a.yaml:1:1' }]);
  const ours = JSON.stringify({ ...older, apiVersion: 'fleetwright.dev/v1alpha1' });
  expect(loadManifests([{ path: 'a.yaml', text: ours }])).toMatchObject({
    problems: [{ code: 'moved-field' }, { code: 'no-devices' }],
  });
});
