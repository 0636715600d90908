import { SMALL, Workspace } from './cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ 'fleet.yaml': SMALL });
});
afterEach(() => work.remove());

test('explain shows where a deployment is and why no more fit', () => {
  work.write({ 'fleet.yaml': SMALL.replace('replicas: 1', 'replicas: 2') });
  expect(work.run('explain ml/q ./').out).toBe(`ml/q: 2 of 2 replicas have a place, priority 0

  us
    + us/0   pool h100: 1 whole node (8 gpu)   new: Spread, the cluster with the fewest replicas of the deployment, then with the most free devices for it
    + us/1   pool h100: 1 whole node (8 gpu)   new: Spread, the cluster with the fewest replicas of the deployment, then with the most free devices for it
    no more: pool h100: needs 8 gpu on one node; all its 16 devices are in use

  engine main: vLLM, by its image vllm/vllm-openai:v0.23.0; port 8000, ready when /health succeeds
    runs as root, because the files of the image of vLLM belong to root
    memory of a GPU on us/h100: h100 of 79.2 GiB, Qwen/Qwen3-8B, TP 8
      [#==================================--...]
      # weights 1.9 GiB  = KV cache 66.4 GiB (3,870,224 tokens, 94 requests of 40,960)  - activations and graphs 4.5 GiB  . free 6.3 GiB
  Pod Security level baseline: it does not forbid root in container engine
`);
});

test('explain prints the remedies of the plan', () => {
  work.write({ 'fleet.yaml': SMALL.replace('replicas: 1', 'replicas: 3') });
  expect(work.run('explain ml/q ./').out).toContain(`devices are in use

  cheapest: 1 more node in us / h100 (8 GPUs)

`);
});

test('explain --quiet leaves how many replicas have a place', () => {
  expect(work.run('explain ml/q ./ --quiet').out).toBe('ml/q: 1 of 1 replica has a place, priority 0\n');
});

test('explain sums up a large fleet', () => {
  const [types, cluster, model] = SMALL.split('---\n') as [string, string, string];
  const many = Array.from({ length: 60 }, (_, i) =>
    cluster.replace('name: us\n', `name: c${i}\n`).replace('nodeCount: 2', `nodeCount: ${i < 50 ? 0 : 1}`),
  );
  work.write({ 'fleet.yaml': [types, ...many, model].join('---\n') });
  expect(work.run('explain ml/q ./').out).toBe(`ml/q: 1 of 1 replica has a place, priority 0

  c50
    + c50/0   pool h100: 1 whole node (8 gpu)   new: Spread, the cluster with the fewest replicas of the deployment, then with the most free devices for it
    no more: pool h100: needs 8 gpu on one node; all its 8 devices are in use

  room for another replica on 9 clusters
    50x   capacity   needs 8 gpu on one node; the pool has no nodes   (c0 / h100, c1 / h100, c10 / h100, 47 more)
    1x   capacity   needs 8 gpu on one node; all its devices are in use   (c50 / h100)

  engine main: vLLM, by its image vllm/vllm-openai:v0.23.0; port 8000, ready when /health succeeds
    runs as root, because the files of the image of vLLM belong to root
    memory of a GPU on c50/h100: h100 of 79.2 GiB, Qwen/Qwen3-8B, TP 8
      [#==================================--...]
      # weights 1.9 GiB  = KV cache 66.4 GiB (3,870,224 tokens, 94 requests of 40,960)  - activations and graphs 4.5 GiB  . free 6.3 GiB
  Pod Security level baseline: it does not forbid root in container engine
`);
});

test('explain does not count what is draining', () => {
  work.run('lock ./');
  const drained = SMALL.replace('  nodePools:', '  taints: [{ key: drain, effect: NoExecute }]\n  nodePools:');
  work.write({ 'fleet.yaml': drained });
  expect(work.run('explain ml/q ./').out).toContain('ml/q: 0 of 1 replica has a place');
});

test('schema makes its folder, and what it writes is not read as manifests', () => {
  expect(work.run('schema --out ./schema').code).toBe(0);
  expect(work.run('validate ./').out).toContain('3 resources in .: all valid.\nnote: ignored 15 documents');
});

test('synth tells a machine why it writes nothing', () => {
  const { code, out } = work.run('synth ./ --json --out ./out');
  expect(JSON.parse(out)).toMatchObject({
    kind: 'Problems',
    problems: [{ code: 'lock-out-of-date', what: 'there is no lock file yet' }],
  });
  expect(code).toBe(5);
});

test('validate counts what it read', () => {
  expect(work.run('validate ./').out).toMatch(/^3 resources in \.: all valid\.\nnote: Costs leave out us\/h100: /);
});

test.each(['bash', 'zsh', 'fish'])('completion for %s knows every command', (shell) => {
  const { out } = work.run(`completion ${shell}`);
  for (const command of ['validate', 'plan', 'lock', 'synth', 'explain', 'schema', 'completion'])
    expect(out).toContain(command);
  expect(out).toContain('accept-unplaced');
});
