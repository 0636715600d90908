import { aClass, aCluster, aDeployment, anEngine, type Doc } from '../api/build';
import { costOf } from './fleet-cost';

const LAB = { source: 'Existing', existing: { context: 'lab' } };

interface Row {
  from?: string;

  /** What the class says itself. */
  spec?: Doc;

  /** Default: an existing cluster. */
  cluster?: Doc;
  region?: string;
  want: Doc;
}

const rows: Record<string, Row> = {
  'of Nebius is the price of its GPUs, with its source and day': {
    from: 'nebius/gpu-h100-sxm_8gpu-128vcpu-1600gb',
    region: 'eu-north1',
    want: { perHour: 36, source: 'nebius.com/prices, copied by api-evangelist/nebius', asOf: '2026-10-07' },
  },
  'of Nebius is the same without a region': {
    from: 'nebius/gpu-h100-sxm_8gpu-128vcpu-1600gb',
    want: { perHour: 36 },
  },
  'of Nebius is that of the platform and preset of the class, as the peer writes them': {
    spec: {
      provisioning: {
        provider: 'Nebius',
        nebius: {
          platform: 'gpu-b200-sxm',
          preset: '8gpu-160vcpu-1792gb',
          accelerator: { type: 'nvidia-b200', count: 8 },
        },
      },
    },
    cluster: { source: 'Nebius', nebius: {} },
    want: { perHour: 68 },
  },
  'of Nebius is that of its instance type on its clusters': {
    from: 'nebius/gpu-h200-sxm_8gpu-128vcpu-1600gb',
    cluster: { source: 'Nebius', nebius: {} },
    want: { perHour: 43.2 },
  },
  'of CoreWeave is that of North America in each of its regions there': {
    from: 'coreweave/gd-8xh100ib-i128',
    region: 'US-EAST-04',
    want: { perHour: 49.24, asOf: '2026-09-20' },
  },
  'of CoreWeave is unknown in Europe': {
    from: 'coreweave/gd-8xh100ib-i128',
    region: 'EU-SOUTH-03',
    want: { unpriced: 'coreweave/gd-8xh100ib-i128 in EU-SOUTH-03' },
  },
  'of Lambda is the same in all regions': {
    from: 'lambda/gpu_8x_b200_sxm6',
    region: 'us-south-1',
    want: { perHour: 53.52 },
  },
  'of OCI is that of the shape, on a cloud of the program': {
    from: 'oci/BM.GPU.H100.8',
    cluster: { source: 'Custom', custom: { cloud: 'OKE', region: 'eu-frankfurt-1' } },
    want: { perHour: 80 },
  },
  'of OCI counts for AMD too': { from: 'oci/BM.GPU.MI300X.8', region: 'us-chicago-1', want: { perHour: 48 } },
  'of Vultr is unknown, because no dated source states it': {
    from: 'vultr/vcg-b200-248c-2826g-1536vram',
    region: 'ewr',
    want: { unpriced: 'vultr/vcg-b200-248c-2826g-1536vram in ewr' },
  },
};

test.each(Object.entries(rows))('the price of a node %s', (_, { from, spec, cluster = LAB, region, want }) => {
  const labels = region === undefined ? {} : { 'topology.kubernetes.io/region': region };
  const { clusters } = costOf([
    aClass('node', { ...(from !== undefined && { from, devices: undefined }), ...spec }),
    aCluster('lab', { cluster, labels, pools: { node: 2 } }),
    aDeployment('ml/q', { engines: [anEngine('main', { gpus: 1 })] }),
  ]);
  const [pool] = clusters[0]!.pools;
  expect({ ...pool, ...pool!.price }).toMatchObject(want);
  if (want['perHour'] !== undefined) expect(pool!.least.perHour).toBeCloseTo(Number(want['perHour']) * 2, 6);
});
