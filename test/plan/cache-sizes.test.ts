import { attempt } from '../../src/base/attempt';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { aCache, aClass, aCluster, aDeployment, byPath, type Doc, gpus } from '../api/build';

const FLEET = [
  aClass('h100', { devices: [gpus(8, { memory: '81559Mi' })] }),
  aCluster('a', { pools: { h100: 4 }, storage: { sharedFilesystem: { storageClassName: 'nfs' } } }),
];
const BUCKET = { source: 'S3', huggingFace: undefined, s3: { uri: 's3://weights/q', region: 'us-east-1' } };

const sizes: Record<string, { spec: Doc; want: string[] }> = {
  'room for other weights': { spec: { sizeGiB: 40 }, want: [] },
  'less than the weights': {
    spec: { sizeGiB: 12 },
    want: ['error: the weights of Qwen/Qwen3-8B (15.3 GiB) do not fit the volume of 12 GiB'],
  },
  'hardly more than the weights': {
    spec: { sizeGiB: 15 },
    want: ['warning: the weights of Qwen/Qwen3-8B (15.3 GiB) may not fit the volume of 15 GiB'],
  },
  'files without the weights': { spec: { sizeGiB: 1, include: ['*.json'] }, want: [] },
  'a tokenizer alone': { spec: { sizeGiB: 1, content: 'Tokenizer' }, want: [] },
  'a model that the catalog lacks': { spec: { sizeGiB: 1, huggingFace: { repo: 'acme/unknown' } }, want: [] },
};

test('the volume of a cache: a bucket, whose model a deployment names', () => {
  const model = { repository: 'Qwen/Qwen3-8B' };
  const deployment = aDeployment('ml/chat', { cache: 'weights', model });
  const cache = aCache('ml/weights', { ...BUCKET, sizeGiB: 12 });
  const taken = attempt(() => decide(assemble([...FLEET, deployment, cache]), byPath, EMPTY_LOCK));
  expect('problems' in taken && taken.problems.map(({ message }) => message)).toEqual([
    'the weights of Qwen/Qwen3-8B (15.3 GiB) do not fit the volume of 12 GiB',
  ]);
});

test.each(Object.entries(sizes))('the volume of a cache: %s', (_, { spec, want }) => {
  const fleet = assemble([...FLEET, aCache('ml/weights', spec)]);
  const taken = attempt(() => decide(fleet, byPath, EMPTY_LOCK));
  const found = 'problems' in taken ? taken.problems : taken.value.plan.warnings;
  const texts = found.filter(({ code }) => code === 'cache-too-small');
  expect(texts.map(({ severity, message }) => `${severity}: ${message}`)).toEqual(want);
});
