import { locateAll } from '../../../src/api/kinds';
import { formatDiagnostic } from '../../../src/base/diagnostic';
import { assemble } from '../../../src/fleet/fleet';
import { findRegionWarnings } from '../../../src/plan/warnings/region-warnings';
import { aClass, aCluster, byPath, type Doc, parsed } from '../../api/build';

interface Row {
  source?: 'GKE' | 'EKS' | 'AKS';
  region: string;
  block?: Doc;
  zones?: string[];
  want: string[];
}

const rows: Record<string, Row> = {
  'a known region and zone are fine': { region: 'us-east1', zones: ['us-east1-b'], want: [] },
  'a region that is near to a known one gets it': {
    region: 'us-esat1',
    want: [
      "InferenceCluster us spec.cluster.gke.region: GKE has no known region 'us-esat1'. Use 'us-east1' if you meant that.",
    ],
  },
  'a region whose first word is abbreviated gets the whole name': {
    region: 'eu-west4',
    want: [
      "InferenceCluster us spec.cluster.gke.region: GKE has no known region 'eu-west4'. Use 'europe-west4' if you meant that.",
    ],
  },
  'a region in the form of another cloud gets that of its own': {
    source: 'EKS',
    region: 'us-east1',
    want: [
      "InferenceCluster us spec.cluster.eks.region: EKS has no known region 'us-east1', which is a region of GKE. Use 'us-east-1' if you meant that.",
    ],
  },
  'a region of another cloud is named as one, with the like of its own': {
    region: 'eu-west-1',
    want: [
      "InferenceCluster us spec.cluster.gke.region: GKE has no known region 'eu-west-1', which is a region of EKS. Use 'europe-west1' if you meant that.",
    ],
  },
  'a region of another cloud whose words are abbreviated here': {
    source: 'EKS',
    region: 'europe-west1',
    want: [
      "InferenceCluster us spec.cluster.eks.region: EKS has no known region 'europe-west1', which is a region of GKE. Use 'eu-west-1' if you meant that.",
    ],
  },
  'a region of another cloud without the like gets none that looks similar': {
    source: 'EKS',
    region: 'us-central1',
    want: [
      "InferenceCluster us spec.cluster.eks.region: EKS has no known region 'us-central1', which is a region of GKE. Check the name. The catalog has no prices and machines of other regions.",
    ],
  },
  'a region of Azure with the words of another order gets its name': {
    source: 'AKS',
    region: 'us-east-2',
    want: [
      "InferenceCluster us spec.cluster.aks.location: AKS has no known region 'us-east-2', which is a region of EKS. Use 'eastus2' if you meant that.",
    ],
  },
  'a region of Azure is at its own field': {
    source: 'AKS',
    region: 'westeuropa',
    want: [
      "InferenceCluster us spec.cluster.aks.location: AKS has no known region 'westeuropa'. Use 'westeurope' if you meant that.",
    ],
  },
  'a region of Azure without zones has none': {
    source: 'AKS',
    region: 'westus',
    zones: ['1'],
    want: ["InferenceCluster us spec.nodePools.0.zones.0: AKS has no known zone '1'. Remove it: westus has no zones."],
  },
  'a zone in place of a region gets its region': {
    region: 'europe-west4-a',
    want: [
      "InferenceCluster us spec.cluster.gke.region: GKE has no known region 'europe-west4-a'. Use 'europe-west4' if you meant that.",
    ],
  },
  'a region that is near to none may be new': {
    region: 'antarctica-north1',
    zones: ['antarctica-north1-a'],
    want: [
      "InferenceCluster us spec.cluster.gke.region: GKE has no known region 'antarctica-north1'. Check the name. The catalog has no prices and machines of other regions.",
    ],
  },
  'a zone that its region is not known to have gets those that it has': {
    region: 'us-east1',
    zones: ['us-east1-a', 'us-east1-b'],
    want: [
      "InferenceCluster us spec.nodePools.0.zones.0: GKE has no known zone 'us-east1-a'. Use one of us-east1-b, us-east1-c, us-east1-d if you meant that.",
    ],
  },
  'zones of control planes are checked too': {
    region: 'us-west1',
    block: { zone: 'us-west1-f' },
    want: [
      "InferenceCluster us spec.cluster.gke.zone: GKE has no known zone 'us-west1-f'. Use one of us-west1-a, us-west1-b, us-west1-c if you meant that.",
    ],
  },
  'so are the zones of control planes on EKS': {
    source: 'EKS',
    region: 'us-east-2',
    block: { zones: ['us-east-2a', 'us-east-2d'] },
    want: [
      "InferenceCluster us spec.cluster.eks.zones.1: EKS has no known zone 'us-east-2d'. Use one of us-east-2a, us-east-2b, us-east-2c if you meant that.",
    ],
  },
  'a zone of another region is an error of its own': { region: 'us-east1', zones: ['us-west1-f'], want: [] },
};

test.each(Object.entries(rows))('%s', (_, { source = 'GKE', region, block, zones = [], want }) => {
  const cluster = { source, [source.toLowerCase()]: { [source === 'AKS' ? 'location' : 'region']: region, ...block } };
  const fleet = assemble([aCluster('us', { cluster, pools: zones.length > 0 ? { l4: { zones } } : {} })]);
  expect(locateAll(findRegionWarnings(fleet), byPath).map(formatDiagnostic)).toEqual(want);
});

interface MachineRow {
  from?: string;
  cluster: Doc;
  labels?: Record<string, string>;
  want: string[];
}

const OKE = { source: 'Custom', custom: { cloud: 'OKE', region: 'us-ashbrun-1' } };
const LAB = { source: 'Existing', existing: { context: 'lab' } };
const regionOf = (region: string) => ({ 'topology.kubernetes.io/region': region });

const machineRows: Record<string, MachineRow> = {
  'an existing cluster in a region that has its machines is fine': {
    from: 'coreweave/gd-8xh100ib-i128',
    cluster: LAB,
    labels: regionOf('US-EAST-04'),
    want: [],
  },
  'a zone in place of a region of an existing cluster gets its region': {
    from: 'coreweave/gd-8xh100ib-i128',
    cluster: LAB,
    labels: regionOf('US-EAST-04A'),
    want: [
      "InferenceCluster us metadata.labels.topology.kubernetes.io/region: 'coreweave/gd-8xh100ib-i128' is a machine of CoreWeave, which has no known region 'US-EAST-04A'. Use 'US-EAST-04' if you meant that.",
    ],
  },
  'a cloud in the labels of an existing cluster is without the region next to it': {
    cluster: LAB,
    labels: { ...regionOf('us-centrall'), 'fleetwright.dev/provider': 'GKE' },
    want: [
      "InferenceCluster us metadata.labels.topology.kubernetes.io/region: GKE has no known region 'us-centrall'. Use 'us-central1' if you meant that.",
    ],
  },
  'a cloud in the labels of an existing cluster has the region next to it': {
    cluster: LAB,
    labels: { ...regionOf('us-central1'), 'fleetwright.dev/provider': 'GKE' },
    want: [],
  },
  'the region of a cloud of the program is at its field': {
    from: 'oci/BM.GPU.H100.8',
    cluster: OKE,
    want: [
      "InferenceCluster us spec.cluster.custom.region: 'oci/BM.GPU.H100.8' is a machine of OCI, which has no known region 'us-ashbrun-1'. Use 'us-ashburn-1' if you meant that.",
    ],
  },
  'the region of Vultr is at its field': {
    from: 'vultr/vcg-l40s-16c-180g-48vram',
    cluster: { source: 'Vultr', vultr: { region: 'eww' } },
    want: [
      "InferenceCluster us spec.cluster.vultr.region: 'vultr/vcg-l40s-16c-180g-48vram' is a machine of Vultr, which has no known region 'eww'. Use 'ewr' if you meant that.",
    ],
  },
  'a cluster without a region states nothing to check': { from: 'oci/BM.GPU.H100.8', cluster: LAB, want: [] },
  'machines of nobody are in any region': { cluster: OKE, want: [] },
};

test.each(Object.entries(machineRows))('machines and regions: %s', (_, { from, cluster, labels = {}, want }) => {
  const declared = aClass('l4', from === undefined ? {} : { from });
  const fleet = assemble([aCluster('us', { cluster, labels, pools: { l4: {} } }), declared]);
  expect(locateAll(findRegionWarnings(fleet), byPath).map(formatDiagnostic)).toEqual(want);
});

test.each([
  [
    { region: 'us-est-1' },
    ["ModelCache ml/w spec.s3.region: AWS has no known region 'us-est-1'. Use 'us-east-1' if you meant that."],
  ],
  [{ region: 'us-east-1' }, []],
  [{ region: 'lab', endpoint: 'https://minio.example.com' }, []],
])('the region of a bucket %j', (s3, want) => {
  const cache = parsed('ModelCache', 'ml/w', { source: 'S3', s3: { uri: 's3://models/q', ...s3 }, sizeGiB: 1 });
  expect(locateAll(findRegionWarnings(assemble([cache])), byPath).map(formatDiagnostic)).toEqual(want);
});
