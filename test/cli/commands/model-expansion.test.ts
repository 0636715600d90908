import { readFileSync } from 'node:fs';
import { Workspace } from '../cli';

const EXAMPLE = readFileSync('examples/one-line-model/fleet.yaml', 'utf8');

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ 'fleet/fleet.yaml': EXAMPLE });
});
afterEach(() => work.remove());

test('the shortest fleet that serves something has under 25 lines', () => {
  expect(EXAMPLE.trimEnd().split('\n').length).toBeLessThan(25);
});

test('an export holds the expansion, and exports and decides the same again', () => {
  expect(work.run('lock ./fleet --quiet').code).toBe(0);
  const { out } = work.run('export ./fleet');
  expect(out).toMatch(/productName: NVIDIA L4[^]*image: vllm\/vllm-openai[^]*--max-model-len=8192/);
  expect(out).toMatch(/kind: ModelCache/);
  work.write({ 'again/fleet.yaml': out });
  expect(work.run('export ./again').out).toBe(out);
  for (const name of ['fleet', 'again']) {
    expect(work.run(`synth ./${name} --ephemeral --out ./out-${name} --quiet`).code).toBe(0);
  }
  const files = work.files();
  expect(files['out-again/us-central/ml.chat.yaml']).toBe(files['out-fleet/us-central/ml.chat.yaml']);
});

test('explain names every derived field with its reason', () => {
  const { out } = work.run('explain ml/chat ./fleet');
  for (const line of [
    'derived from Qwen/Qwen3-8B for 1 x L4 (l4)',
    /startup\.budget \d+m: vLLM compiles, and reads 16 GiB/,
    /nodeSelector\.devices 1 x l4: the cheapest layout of Qwen\/Qwen3-8B on l4, which holds 2 requests of 8,192 tokens/,
    /args --max-model-len=8192: requests have at most 8,192 tokens/,
    /resources\.requests\.memory 20Gi: by the GPUs of the pod/,
    /modelCacheRef qwen-qwen3-8b-b968826d: every cluster/,
    /volumes \/dev\/shm: half of the memory of the pod/,
  ]) {
    expect(out).toMatch(line);
  }
});

test('plan says that the lock is out of date where no replica changes, and why', () => {
  work.run('lock ./fleet --quiet');
  expect(work.run('plan ./fleet --quiet').out).not.toContain('out of date');
  const upgraded = EXAMPLE.replace('repository: Qwen/Qwen3-8B', '$&, image: "vllm/vllm-openai:v0.24.0"');
  work.write({ 'fleet/fleet.yaml': upgraded });
  const { out } = work.run('plan ./fleet --quiet');
  expect(out).toContain('1 keeps its place.');
  expect(out).toContain(
    "is out of date, although no replica changes: spec.model, or the engines next to it, changed in ml/chat. Run 'fleetwright lock",
  );
  work.run('lock ./fleet --quiet');
  expect(work.run('plan ./fleet --quiet').out).not.toContain('out of date');
});

test('lock --refit chooses the layouts again', () => {
  work.run('lock ./fleet --quiet');
  const cheap = EXAMPLE.replace('from: gcp/g2-standard-12', 'from: gcp/g2-standard-24');
  work.write({ 'fleet/fleet.yaml': cheap });
  expect(work.run('lock ./fleet --check').code).toBe(0);
  const before = work.read('fleet/fleet.lock.yaml');
  work.write({ 'fleet/fleet.lock.yaml': before.replace('"cpu":4', '"cpu":3') });
  expect(work.run('lock ./fleet --check').code).toBe(0);
  expect(work.run('lock ./fleet --refit --quiet').code).toBe(0);
  expect(work.read('fleet/fleet.lock.yaml')).toBe(before);
});

test.each([
  ['facts of a model that are not there', '"context":8192,', '', /the facts of the layouts of a model are damaged/],
  ['a size that is none', '"tp":1', '"tp":0', /the layout of a model is damaged/],
  ['a layout out of order', 'layout 1:', 'layout 2:', /the layout of a model is damaged/],
  ['a model without a layout', /\n {4}layout 1:.*/, '', /the model of ml\/chat has no layout/],
])('a lock is refused for %s', (_, from, to, want) => {
  work.run('lock ./fleet --quiet');
  work.write({ 'fleet/fleet.lock.yaml': work.read('fleet/fleet.lock.yaml').replace(from, to) });
  const { code, err } = work.run('plan ./fleet');
  expect([code, err]).toEqual([1, expect.stringMatching(want)]);
});
