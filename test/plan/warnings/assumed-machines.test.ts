import { formatDiagnostic } from '../../../src/base/diagnostic';
import { assemble } from '../../../src/fleet/fleet';
import { BUILT_IN_CATALOGUE, type Catalogue } from '../../../src/fleet/hardware/hardware';
import { decide } from '../../../src/plan/decide';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { aCluster, byPath, type ClusterOptions, type Doc, parsed } from '../../api/build';

interface Row {
  spec: Doc;
  /** Default: one cluster that exists, without labels. */
  clusters?: Record<string, ClusterOptions>;
  want: string[];
}

const LABEL = 'fleetwright.dev/provider';
const REPORTED = "what 'kubectl get nodes -o yaml' reports as allocatable";
const L40S = { from: 'L40S-8x' };
const PLACE = 'InferenceClass box spec.from';
const AWS = 'taken from aws/g6e.48xlarge';
const ELSE = `If the nodes are such machines, set the label ${LABEL} of the cluster to EKS.`;

const rows: Record<string, Row> = {
  'a macro on a cluster of no known cloud brings CPU and memory of a cloud': {
    spec: L40S,
    want: [
      `${PLACE}: the CPU (191450m) and memory (1451794Mi) of nodes on us are ${AWS}. Set spec.node.allocatable to ${REPORTED}. ${ELSE}`,
    ],
  },
  'of the machines of two clouds, the lower amounts': {
    spec: { from: 'H100-8x' },
    want: [
      `${PLACE}: the CPU (191450m) and memory (1833995Mi) of nodes on us are taken from gcp/a3-highgpu-8g and aws/p5.48xlarge, the lower of each. Set spec.node.allocatable to ${REPORTED}. If the nodes are such machines, set the label ${LABEL} of the cluster to GKE, or EKS.`,
    ],
  },
  'what the class states is not assumed': {
    spec: { ...L40S, node: { allocatable: { cpu: '126' } } },
    want: [
      `${PLACE}: the memory (1451794Mi) of nodes on us is ${AWS}. Set spec.node.allocatable to ${REPORTED}. ${ELSE}`,
    ],
  },
  'if it states both, nothing is': {
    spec: { ...L40S, node: { allocatable: { cpu: '126', memory: '980Gi' } } },
    want: [],
  },
  'a label that names a cloud of the macro says whose machines they are': {
    spec: L40S,
    clusters: { us: { labels: { [LABEL]: 'EKS' } } },
    want: [],
  },
  'a label that names another cloud does not': {
    spec: L40S,
    clusters: { us: { labels: { [LABEL]: 'Nebius' } } },
    want: [
      `${PLACE}: the CPU (191450m) and memory (1451794Mi) of nodes on us are ${AWS}. Set spec.node.allocatable to ${REPORTED}. ${ELSE}`,
    ],
  },
  'where other pools are on that cloud, the nodes need a class of their own': {
    spec: L40S,
    clusters: { eu: { source: 'EKS' }, us: {} },
    want: [
      `${PLACE}: the CPU (191450m) and memory (1451794Mi) of nodes on us are ${AWS}. Declare a class for us, with spec.node.allocatable as ${REPORTED}. ${ELSE}`,
    ],
  },
  'a machine that the class names is the one that its nodes are': { spec: { from: 'aws/g6e.48xlarge' }, want: [] },
  'a macro that names a machine of the house may be that one': { spec: { from: 'ours' }, want: [] },
  'a class that no pool has is not used': { spec: L40S, clusters: {}, want: [] },
};

const ROW = { source: 'racks', asOf: '2026-01-01' };
const HOUSE = { ...ROW, name: 'house/a', gpu: 'l40s', gpus: 8, cpu: 256, memoryGiB: 2048 };
const CATALOGUE: Catalogue = {
  ...BUILT_IN_CATALOGUE,
  instanceTypes: new Map([
    ...BUILT_IN_CATALOGUE.instanceTypes,
    ['house/a', { ...HOUSE, allocatable: { cpu: '250', memory: '2000Gi' } }],
  ]),
  macros: new Map([
    ...BUILT_IN_CATALOGUE.macros,
    ['ours', { ...ROW, name: 'ours', aliases: ['house/a', 'aws/g6e.48xlarge'] }],
  ]),
};

test.each(Object.entries(rows))('%s', (_, { spec, clusters = { us: {} }, want }) => {
  const resources = [
    parsed('InferenceClass', 'box', spec),
    ...Object.entries(clusters).map(([name, options]) => aCluster(name, { pools: { box: 1 }, ...options })),
  ];
  const fleet = assemble(resources, { ...assemble([]).hardware, catalogue: CATALOGUE });
  const { warnings } = decide(fleet, byPath, EMPTY_LOCK).plan;
  const found = warnings.filter(({ code }) => code === 'unknown-allocatable');
  expect(found.map(formatDiagnostic)).toEqual(want);
});
