import type { Resource } from '../../src/api/kinds';
import { findRejectedByKueue } from '../../src/diff/kueue-rejections';
import { aClass, aCluster, aDeployment, aMember, type Doc, gpus } from '../api/build';
import { diff, state } from './build';

const KUEUE = { type: 'Kueue', queue: 'inference' };
const KAI = { type: 'KAI', queue: 'inference' };
const models = ['a', 'b'].map((name) => aDeployment(`ml/${name}`, { replicas: 1 }));
const gang = aDeployment('ml/g', {
  replicas: 1,
  engines: [{ name: 'main', members: [aMember({ role: 'Leader' }), aMember({ role: 'Worker' })] }],
});

const fleet = (scheduler: Doc | undefined, served: readonly Resource[]): Resource[] => [
  aClass('h100', { devices: [gpus(8)] }),
  aCluster('dc', { pools: { h100: 4 }, ...(scheduler && { scheduler }) }),
  ...served,
];

interface Row {
  readonly before?: Doc;
  readonly after?: Doc;
  readonly models?: readonly Resource[];
  readonly want: readonly unknown[];
}

const rows: Record<string, Row> = {
  'a queue that comes to running Deployments': {
    after: { ...KUEUE, quota: { 'gpu.nvidia.com': 16 } },
    want: [
      expect.stringMatching(
        /^the change puts the queue inference on 2 running Deployments of dc, which Kueue rejects while their pods are ready: ml\/a-0-\S+, ml\/b-0-\S+\. Recreate them \(downtime\), or drain dc first$/,
      ),
    ],
  },
  'a queue that comes to a running gang': {
    after: KUEUE,
    models: [gang],
    want: [
      expect.stringMatching(
        /puts the queue inference on 1 running LeaderWorkerSet of dc, .*: ml\/g-0-\S+\. Recreate it \(/,
      ),
    ],
  },
  'a queue that leaves running Deployments, which is rejected even while no pod is ready': {
    before: KUEUE,
    want: [
      expect.stringMatching(
        /takes the queue inference off 2 running Deployments of dc, which Kueue rejects: ml\/a-0-\S+, ml\/b-0-/,
      ),
    ],
  },
  'a queue of KAI instead': {
    before: KUEUE,
    after: KAI,
    want: [expect.stringMatching(/takes the queue inference off 2/)],
  },
  'a queue of Kueue instead of one of KAI': {
    before: KAI,
    after: KUEUE,
    want: [expect.stringMatching(/puts the queue inference on 2/)],
  },
  'another queue': {
    before: KUEUE,
    after: { ...KUEUE, queue: 'batch' },
    want: [
      expect.stringMatching(
        /^Kueue on cluster dc rejects another queue of Deployment ml\/a-0-\S+, Deployment ml\/b-0-\S+ while .*\. Drain the cluster or/,
      ),
    ],
  },
  'no workload without replicas': { after: KUEUE, models: [], want: [] },
  'no queue of another scheduler': { after: KAI, want: [] },
  'no other quota': { before: KUEUE, after: { ...KUEUE, quota: { 'gpu.nvidia.com': 16 } }, want: [] },
};

test.each(Object.entries(rows))('Kueue rejects %s', (_, { before: was, after: is, models: served = models, want }) => {
  const [before, after] = [fleet(was, served), fleet(is, served)];
  const found = findRejectedByKueue(diff(before, after), { before: state('main', before).decision, at: 'here' });
  expect(found.map(({ message, hint }) => `${message}. ${hint ?? ''}`)).toEqual(want);
  expect(found.map(({ code }) => code)).toEqual(want.map(() => 'rejected-change'));
});
