import type { Resource } from '../../src/api/kinds';
import type { ModelDeployment } from '../../src/api/model-deployment';
import { formatRemedy } from '../../src/plan/remedy-messages';
import { schedule } from '../../src/scheduler/schedule';
import { aCache, anEngine } from '../api/build';
import { aDoor, aModel, aSite, aSplit, H100, to } from '../routing/build';
import { modelOf } from '../scheduler/build';

const EAST = aSite('east', { gateway: { reach: 'Cluster' }, labels: { zone: 'a' } });
const WEST = aSite('west', { labels: { zone: 'b' } });
const BARE = aSite('east', { gateway: { reach: 'Cluster' }, storage: undefined });
const ROUTED = [H100, EAST, WEST, aDoor(['west']), aSplit('ml/chat', [to({ app: 'chat' })])];

function chat(placement: Partial<ModelDeployment['spec']['placement']>, replicas = 2): ModelDeployment {
  const engines = [anEngine('main', { gpus: 8 })];
  const model = aModel('ml/chat', { replicas, engines, replicaLabels: { app: 'chat' } });
  return { ...model, spec: { ...model.spec, placement: { ...model.spec.placement, ...placement } } };
}

const rows: Record<string, { placement?: Parameters<typeof chat>[0]; replicas?: number; want: string[] }> = {
  'Spread puts a second replica next to the first': { want: ['west/0', 'west/1'] },
  'Pack does not fill it': { placement: { policy: 'Pack' }, want: ['west/0', 'west/1'] },
  'a selector does not prefer it': {
    placement: { policy: 'Preferred', preferred: [{ matchLabels: { site: 'east' } }] },
    want: ['west/0', 'west/1'],
  },
  'another failure domain does not outweigh it': { placement: { spreadBy: 'zone' }, want: ['west/0', 'west/1'] },
  'it takes what no other has room for': {
    replicas: 5,
    want: ['east/0', 'west/0', 'west/1', 'west/2', 'west/3'],
  },
};

test.each(Object.entries(rows))('a cluster that no gateway reaches comes last: %s', (_, row) => {
  const { placements } = schedule(modelOf(...ROUTED, chat(row.placement ?? {}, row.replicas)));
  expect(placements.map(({ cluster, index }) => `${cluster}/${index}`)).toEqual(row.want);
});

const SUFFIX = 'so that ingress gateways reach it';
const cached = aModel('ml/chat', {
  replicas: 5,
  engines: [anEngine('main', { gpus: 8 })],
  replicaLabels: { app: 'chat' },
  cache: 'w',
});
const remedies: Record<string, { resources: Resource[]; want: string[] }> = {
  'to nodes': {
    resources: [...ROUTED, chat({}, 9)],
    want: [`1 more node in east / h100 (8 GPUs), and set spec.gateway of cluster east ${SUFFIX}`],
  },
  'to storage to declare': {
    resources: [...ROUTED.filter((one) => one !== EAST), BARE, aCache('ml/w'), cached],
    want: [
      `declare spec.storage.sharedFilesystem of cluster east, if it has such storage, and set spec.gateway of cluster east ${SUFFIX}`,
      '1 more node in west / h100 (8 GPUs)',
    ],
  },
  'to nothing without a service that selects the deployment': {
    resources: [H100, EAST, chat({}, 5)],
    want: ['1 more node in east / h100 (8 GPUs)'],
  },
};

test.each(Object.entries(remedies))('a remedy adds what an unreached cluster lacks %s', (_, { resources, want }) => {
  const [short] = schedule(modelOf(...resources)).shortfalls;
  expect(short?.remedies.map((remedy) => formatRemedy(remedy))).toEqual(want);
});
