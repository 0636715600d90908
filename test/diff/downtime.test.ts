import type { Resource } from '../../src/api/kinds';
import { aCache, aClass, aCluster, aMember, type Doc, gpus, MACHINES } from '../api/build';
import { aModel, aSite } from '../routing/build';
import { diff } from './build';

const onDemand = aClass('h100', { provisioning: MACHINES.GKE });
const spot = aClass('h100', { provisioning: { ...MACHINES.GKE, gke: { ...MACHINES.GKE.gke, spot: true } } });

const machine = (memory: number, diskSizeGb = 100): Resource =>
  aClass('h100', {
    devices: [gpus(8)],
    provisioning: { ...MACHINES.GKE, gke: { ...MACHINES.GKE.gke, diskSizeGb } },
    node: { allocatable: { cpu: 100, memory: `${memory}Gi` } },
  });

const GATED = ['meta-llama/Llama-3.1-8B-Instruct'];

const engine = ({ image = 'v0.23.0', args = ['Qwen/Qwen3-8B'], gpus = 8, ...more }: Doc = {}): Doc => ({
  name: 'main',
  members: [
    aMember({
      gpus,
      template: { spec: { containers: [{ name: 'engine', image: `vllm/vllm-openai:${image}`, args }] } },
    }),
  ],
  ...more,
});

const model = (given: Doc = {}, more: object = {}): Resource => aModel('ml/q', { engines: [engine(given)], ...more });
const SCALED = { gpus: 1, scaling: { on: [{ queue: 4 }] } };
const PLACE = [aClass('h100'), aSite('us')];
const MONITORED = [aClass('h100'), aSite('us', { monitoring: {} })];
const CACHED = { cache: 'w' };
const FILES = aCache('ml/w', { sizeGiB: 300 });
const UNKNOWN = aCache('ml/w', { sizeGiB: 300, huggingFace: { repo: 'ours/unknown', revision: 'a'.repeat(40) } });
const scaling = (minNodeCount: number): Doc => ({ pools: { h100: { minNodeCount, maxNodeCount: 2 } } });
const ONE = { className: 'h100', nodeCount: 1 };
const located = (region: string): Doc => ({
  cluster: { source: 'GKE', gke: { region } },
  pools: { h100: { nodeCount: 1, zones: [`${region}-a`] } },
});
const gke = (more: Doc): Resource => aCluster('us', { source: 'GKE', ...more });

const cases: Record<string, { before: Resource[]; after: Resource[]; want: object | undefined }> = {
  'weights that are downloaded and read once more, and the load, of a pod on its node': {
    before: [...PLACE, model()],
    after: [...PLACE, model({ args: ['Qwen/Qwen3-8B', '--enforce-eager'] })],
    want: { least: 2, most: 14, budget: 60 },
  },
  'another image is pulled first': {
    before: [...PLACE, model()],
    after: [...PLACE, model({ image: 'v0.24.0' })],
    want: { least: 3, most: 17, budget: 60 },
  },
  'weights and load take no longer than the startup budget': {
    before: [...PLACE, model({ startup: { budget: '5m' } })],
    after: [...PLACE, model({ startup: { budget: '5m' }, args: ['Qwen/Qwen3-8B', '--enforce-eager'] })],
    want: { least: 2, most: 5, budget: 5 },
  },
  'weights of an unknown size take at most the budget, and no least time is known': {
    before: [...PLACE, model({ args: ['ours/unknown'] })],
    after: [...PLACE, model({ args: ['ours/unknown', '--enforce-eager'] })],
    want: { most: 60, budget: 60 },
  },
  'weights of a cache are read, by the size of its volume': {
    before: [...PLACE, UNKNOWN, model({ args: [] }, CACHED)],
    after: [...PLACE, UNKNOWN, model({ args: ['--enforce-eager'] }, CACHED)],
    want: { least: 4, most: 60, budget: 62 },
  },
  'those of a known model are read, by their own size': {
    before: [...PLACE, FILES, model({ args: [] }, CACHED)],
    after: [...PLACE, FILES, model({ args: ['--enforce-eager'] }, CACHED)],
    want: { least: 2, most: 11, budget: 62 },
  },
  'what waits until its cache is staged takes its own time after that': {
    before: [...PLACE, model()],
    after: [...PLACE, FILES, model({ args: [] }, CACHED)],
    want: { least: 2, most: 11, budget: 62, waits: ['cache'], stagesFirst: true },
  },
  'what cannot download its weights has no known time': {
    before: [...PLACE, model()],
    after: [...PLACE, model({ args: GATED })],
    want: undefined,
  },
  'copies of an autoscaler are replaced one after the other, as many as there can be before or after': {
    before: [...MONITORED, model({ ...SCALED, copies: { min: 1, max: 4 } })],
    after: [...MONITORED, model({ ...SCALED, copies: { min: 1, max: 3 }, image: 'v0.24.0' })],
    want: { least: 3, most: 17, budget: 60, copies: 4 },
  },
  'as many copies as there can be after the change': {
    before: [...MONITORED, model({ ...SCALED, copies: { min: 1, max: 2 } })],
    after: [...MONITORED, model({ ...SCALED, copies: { min: 1, max: 3 }, image: 'v0.24.0' })],
    want: { least: 3, most: 17, budget: 60, copies: 3 },
  },
  'copies that Recreate replaces start at once': {
    before: [...MONITORED, model({ ...SCALED, copies: { min: 1, max: 4 } }, { rollout: { strategy: 'Recreate' } })],
    after: [
      ...MONITORED,
      model({ ...SCALED, copies: { min: 1, max: 4 }, image: 'v0.24.0' }, { rollout: { strategy: 'Recreate' } }),
    ],
    want: { least: 3, most: 17, budget: 60 },
  },
  'a move may need the image': {
    before: [...PLACE, aSite('eu'), model({}, { on: ['us'] })],
    after: [PLACE[0] as Resource, aSite('eu'), model({}, { on: ['eu'] })],
    want: { least: 2, most: 17, budget: 60 },
  },
  'a move to a pool that scales may need a node': {
    before: [...PLACE, aSite('eu', scaling(0)), model({}, { on: ['us'] })],
    after: [PLACE[0] as Resource, aSite('eu', scaling(0)), model({}, { on: ['eu'] })],
    want: { least: 2, most: 27, budget: 60 },
  },
  'a move to a new cluster waits for that, and its pods pull the image': {
    before: [onDemand, aSite('eu'), model()],
    after: [onDemand, gke({ pools: { h100: 1 } }), model()],
    want: { least: 3, most: 17, budget: 60, waits: ['cluster'] },
  },
  'a move to a new pool waits for its nodes': {
    before: [onDemand, gke({ pools: { a: ONE } }), model()],
    after: [onDemand, gke({ pools: { b: ONE } }), model()],
    want: { least: 3, most: 17, budget: 60, waits: ['nodes'] },
  },
  'a cluster that others make is there': {
    before: [...PLACE, model()],
    after: [aClass('h100'), aSite('eu'), model()],
    want: { least: 2, most: 17, budget: 60 },
  },
  'nodes that are replaced are made first': {
    before: [onDemand, gke({ pools: { h100: 1 } }), model()],
    after: [spot, gke({ pools: { h100: 1 } }), model()],
    want: { least: 3, most: 17, budget: 60, waits: ['nodes'] },
  },
  'nodes that are recreated stop a replica before manifests restart it with larger requests': {
    before: [machine(100), gke({ pools: { h100: 1 } }), model()],
    after: [machine(200, 500), gke({ pools: { h100: 1 } }), model()],
    want: { least: 3, most: 17, budget: 60, waits: ['nodes'], twice: 'nodes-first' },
  },
  'and after manifests have restarted it with smaller ones': {
    before: [machine(200), gke({ pools: { h100: 1 } }), model()],
    after: [machine(100, 500), gke({ pools: { h100: 1 } }), model()],
    want: { least: 3, most: 17, budget: 60, waits: ['nodes'], twice: 'manifests-first' },
  },
  'a cluster that is replaced is made first, and its nodes with it': {
    before: [onDemand, gke(located('us-central1')), model()],
    after: [onDemand, gke(located('us-east4')), model()],
    want: { least: 3, most: 17, budget: 60, waits: ['cluster'] },
  },
  'a pool that is gone does not matter to a replica that moves to one that stays': {
    before: [onDemand, gke({ pools: { a: ONE, b: ONE } }), model()],
    after: [onDemand, gke({ pools: { b: ONE } }), model()],
    want: { least: 2, most: 17, budget: 60 },
  },
  'a replica that has no place on new nodes is not down for a time': {
    before: [onDemand, gke({ pools: { h100: 1 } }), model()],
    after: [onDemand, gke({ pools: {} }), model()],
    want: undefined,
  },
  'replicas that serve until others do have no downtime': {
    before: [...PLACE, model({}, { rollout: { surge: 1 } })],
    after: [...PLACE, model({ image: 'v0.24.0' }, { rollout: { surge: 1 } })],
    want: undefined,
  },
};

test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
  const [change, ...others] = diff(before, after).deployments;
  expect(others).toEqual([]);
  expect(change?.changes).toHaveLength(1);
  expect(change?.downtime).toEqual(want);
});

const grown = aCache('ml/w', { sizeGiB: 500 });
const cached = (more: Doc = {}): Resource => model({ args: [], ...more }, CACHED);

test.each<[string, Resource, object | undefined]>([
  ['is known where it follows from the size of its cache', cached(), { budget: 62, ownDisk: false }],
  ['is none where it is declared', cached({ startup: { budget: '5m' } }), undefined],
])('the startup budget that a replica had before %s', (_, before, want) => {
  const [change] = diff([...PLACE, FILES, before], [...PLACE, grown, cached()]).deployments;
  expect(change?.cachedStart).toEqual(want);
});

test('of several replicas, the least and the most of each', () => {
  const places = [...PLACE, aSite('asia', scaling(0))];
  const was = model({}, { replicas: 2, on: ['us', 'eu'] });
  const is = model({ image: 'v0.24.0' }, { replicas: 2, on: ['us', 'asia'] });
  const [change] = diff([...places, aSite('eu'), was], [...places, is]).deployments;
  expect(change?.changes.map(({ action }) => action)).toEqual(['move', 'roll']);
  expect(change?.downtime).toEqual({ least: 2, most: 27, budget: 60 });
});
