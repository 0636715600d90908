import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { aClass, aCluster, aDeployment, anEngine, byPath, type Doc, gpus } from '../../api/build';

interface Row {
  from?: string;
  provisioning?: Doc;
  devices?: Doc[];
  pool?: Doc;
  cluster?: Doc;
  provider?: string;
  workers?: number;
  want: string[];
  notes?: string[];
}

const GKE = { source: 'GKE', gke: { region: 'us-east1' } };

const EXISTING = { source: 'Existing', existing: { context: 'us' } };

const DRANET = { provider: 'GKE', gke: { machineType: 'a3-ultragpu-8g', fabric: 'DRANET' } };

const noteOf = (fabric: string) =>
  `Gangs of ml/q on us/h100 use ${fabric} only if an administrator of the cluster installs its drivers and the pods claim its network cards: see 'The network between nodes' in docs/gangs.md.`;

const ANY = 'a fast network between nodes, such as InfiniBand or RoCE,';

const EKS = { source: 'EKS', eks: { region: 'us-east-1' } };

const rows: Record<string, Row> = {
  'a gang without the fabric that its machines have is slow': {
    want: [
      "InferenceCluster us spec.nodePools.0: the nodes of a gang of ml/q on pool 'h100' reach each other without the EFA of p5.48xlarge, which slows every request",
    ],
  },
  'a pool asks for the fabric': { pool: { fabric: { type: 'EFA' } }, want: [] },
  'an engine on one node needs none': { workers: 0, want: [] },
  'machines may have none': { from: 'aws/g6.xlarge', want: [] },
  'on GKE, the class asks for it, and pods claim the cards: a note': {
    from: 'gcp/a3-ultragpu-8g',
    cluster: GKE,
    pool: { zones: ['us-east1-b'] },
    want: [],
    notes: [
      "Gangs of ml/q on us/h100 do not use the RoCE of a3-ultragpu-8g without 'provisioning.gke.fabric: DRANET' of InferenceClass h100 and pods that claim its network cards: see 'The network between nodes' in docs/gangs.md.",
    ],
  },
  'a class on GKE asks for it': {
    from: 'gcp/a3-ultragpu-8g',
    provisioning: DRANET,
    cluster: GKE,
    pool: { zones: ['us-east1-b'] },
    want: [],
  },
  'machines on GKE may have none': {
    from: 'gcp/a3-highgpu-4g',
    cluster: GKE,
    pool: { zones: ['us-east1-b'] },
    want: [],
  },
  'on an existing cluster, whether nodes have drivers is not known: a note': {
    cluster: EXISTING,
    want: [],
    notes: [noteOf('the EFA of p5.48xlarge')],
  },
  'on an existing cluster of GKE too': {
    from: 'gcp/a3-highgpu-8g',
    cluster: EXISTING,
    want: [],
    notes: [noteOf('the TCPX of a3-highgpu-8g')],
  },
  'of a macro, machines of no cloud have any fast network': {
    from: 'H100-8x',
    cluster: EXISTING,
    want: [],
    notes: [noteOf(ANY)],
  },
  'a label says of which cloud the machines of a macro are': {
    from: 'H100-8x',
    cluster: EXISTING,
    provider: 'EKS',
    want: [],
    notes: [noteOf('the EFA of p5.48xlarge')],
  },
  'a label that names a cloud without machines of the macro does not': {
    from: 'H100-8x',
    cluster: EXISTING,
    provider: 'AKS',
    want: [],
    notes: [noteOf(ANY)],
  },
  'machines of another cloud than that of the label are not named': {
    from: 'gcp/a3-highgpu-8g',
    cluster: EXISTING,
    provider: 'OCI',
    want: [],
    notes: [noteOf(ANY)],
  },
  'no note of a macro whose machines have no fabric': { from: 'L4-1x', cluster: EXISTING, want: [] },
  'no note of machines without a fabric': { from: 'aws/g6.xlarge', cluster: EXISTING, want: [] },
  'no note of an engine on one node': { workers: 0, cluster: EXISTING, want: [] },
  'no note where the class has the network cards': {
    cluster: EXISTING,
    devices: [gpus(8), { name: 'nic', driver: 'dra.net', deviceClassName: 'efa.networking.k8s.aws', count: 32 }],
    want: [],
  },
};

test.each(Object.entries(rows))('%s', (_, row) => {
  const { from = 'aws/p5.48xlarge', provisioning, devices, pool = {}, cluster = EKS, provider, workers = 1 } = row;
  const nodePools = [{ name: 'h100', className: 'h100', nodeCount: 4, zones: ['us-east-1a'], ...pool }];
  const fleet = assemble([
    aClass('h100', { from, devices, ...(provisioning && { provisioning }) }),
    aCluster('us', { cluster, nodePools, ...(provider && { labels: { 'fleetwright.dev/provider': provider } }) }),
    aDeployment('ml/q', { engines: [anEngine('main', { gpus: 1, ...(workers > 0 && { workers }) })] }),
  ]);
  const { schedule, plan } = decide(fleet, byPath, EMPTY_LOCK);
  expect(schedule.placements).toHaveLength(1);
  const found = plan.warnings.filter(({ code }) => code === 'slow-gang');
  expect(found.map(({ at, message }) => `${at}: ${message}`)).toEqual(row.want);
  expect(plan.notes.filter((note) => note.startsWith('Gangs of'))).toEqual(row.notes ?? []);
});
