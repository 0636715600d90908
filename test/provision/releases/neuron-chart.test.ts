import { releasesOf } from '../../../src/provision/releases/cluster-releases';
import { aClass, aCluster, type Doc, gpus } from '../../api/build';

const classes = [
  aClass('trn2', { devices: [gpus(16, { driver: 'neuron.aws.com', deviceClassName: 'neuron.aws.com' })] }),
];
const EKS = { cluster: { source: 'EKS', eks: { region: 'us-east-1' } } };
const taints = [{ key: 'team', value: 'ml', effect: 'NoExecute' }];
const tolerations = [
  { key: 'aws.amazon.com/neuron', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'team', operator: 'Exists', effect: 'NoExecute' },
];

function releasesWith(spec: Doc) {
  const nodePools = [{ name: 'p', className: 'trn2', nodeCount: 1, zones: ['a'], taints }];
  const lab = aCluster('lab', { nodePools, ...spec });
  return releasesOf(lab, { classes, clusters: [lab], gateways: [] });
}

function chartWith(spec: Doc) {
  return releasesWith(spec).find(({ name }) => name === 'neuron-helm-chart');
}

test('the chart of Neuron installs the driver for claims, on all nodes that have devices', () => {
  expect(releasesWith(EKS).map(({ name }) => name)).toEqual(['lws', 'neuron-helm-chart']);
  expect(chartWith(EKS)).toMatchObject({
    namespace: 'neuron-dra-driver',
    values: {
      draDriver: { enabled: true, tolerations },
      devicePlugin: { enabled: false },
      npd: { enabled: false },
    },
  });
});

test('it installs the device plugin where there are no claims, which would count devices again', () => {
  expect(chartWith({ ...EKS, dra: false })?.values).toMatchObject({
    draDriver: { enabled: false },
    devicePlugin: { enabled: true, tolerations },
  });
});

test('an existing cluster has it already', () => {
  const cluster = { source: 'Existing', existing: { context: 'lab' } };
  expect(chartWith({ cluster })).toBeUndefined();
});

test('its images come from the mirror of the cluster', () => {
  expect(chartWith({ ...EKS, mirror: { images: 'mirror.example/x' } })?.values).toMatchObject({
    draDriver: { image: { repository: 'mirror.example/x/neuron/neuron-dra-driver' } },
    devicePlugin: { image: { repository: 'mirror.example/x/neuron/neuron-device-plugin' } },
  });
});
