import { attempt } from '../../src/base/attempt';
import { formatDiagnostic } from '../../src/base/diagnostic';
import type { Fleet } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import type { Decision } from '../../src/plan/decision';
import { formatPlan } from '../../src/report/plan/plan-text';
import { EMPTY_LOCK, formatLock } from '../../src/scheduler/lock/lock';
import { parseLock } from '../../src/scheduler/lock/parse-lock';
import { classText, clusterText, decideParts, deploymentText, H200, L40S, load } from './model-fleets';

const MODEL = 'repository: Qwen/Qwen3-32B, context: 32768, concurrency: 4';

function errorsOf(parts: readonly string[]): string[] {
  const { fleet, problems, locate } = load(parts);
  if (problems.length > 0) return problems;
  const result = attempt(() => decide(fleet, locate, EMPTY_LOCK));
  return 'value' in result ? [] : result.problems.map(formatDiagnostic);
}

const layoutsOf = ({ plan }: Decision, id = 'ml/chat') =>
  plan.deployments
    .find(({ deployment }) => deployment === id)
    ?.layouts?.map(({ gpus, gpu, clusters }) => `${gpus} x ${gpu} on ${clusters.join(', ')}`);

const containerOf = (fleet: Fleet) =>
  fleet.deployments[0]?.spec.template.spec.engines[0]?.members[0]?.template.spec.containers[0];

/** The rest of a deployment with written device requests. */
const writtenDevices = (devices: string): string =>
  `, template: {spec: {engines: [{name: chat, members: [{nodeSelector: {devices: [${devices}]}}]}]}}`;

const TWO = [classText(H200), classText(L40S), clusterText('a', { h200: 2 }), clusterText('b', { l40s: 2 })];

/** A class of GPUs that publish nothing but their memory. */
const plainClassText = (name: string, memory: string): string =>
  `{apiVersion: fleetwright.dev/v1alpha1, kind: InferenceClass, metadata: {name: ${name}}, spec: {devices: [{name: gpu, driver: gpu.nvidia.com, deviceClassName: gpu.nvidia.com, count: 8, capacity: {memory: {value: ${memory}}}}]}}`;

/** The length of the requests in the headline of a model whose written arguments have a length. */
const requestsOf = (length: number): string | undefined => {
  const spec = `containers: [{name: engine, image: "vllm/vllm-openai:v0.23.0", args: [--max-model-len=${length}]}]`;
  const member = `nodeSelector: {devices: [{name: gpu, where: {driver: gpu.nvidia.com}}]}, template: {spec: {${spec}}}`;
  const rest = `, template: {spec: {engines: [{name: chat, members: [{${member}}]}]}}`;
  const parts = [classText(H200), clusterText('a', { h200: 2 }), deploymentText('repository: Qwen/Qwen3-32B', rest)];
  return /requests of ([\d,]+)/.exec(formatPlan(decideParts(parts).plan, 'f'))?.[1];
};

describe('the layout of a model', () => {
  test('is the cheapest that holds the requests, and is in the plan and the lock', () => {
    const decision = decideParts([classText(H200), clusterText('a', { h200: 2 }), deploymentText(MODEL)]);
    expect(formatPlan(decision.plan, 'f')).toMatch(/1 x H200: \d+\.\d GiB of KV, \d+ requests of 32,768/);
    const text = formatLock(decision.lock);
    expect(text).toMatch(/^ {4}model [0-9a-f]{8}: \{"repository":"Qwen\/Qwen3-32B","context":32768/m);
    expect(formatLock(parseLock(text, 'lock'))).toBe(text);
  });

  test('is for the longest request of the written arguments, and for that of the model at most', () => {
    expect([8192, 99000].map(requestsOf)).toEqual(['8,192', '40,960']);
  });

  test('differs between clusters where the hardware does', () => {
    const decision = decideParts([...TWO, deploymentText(`${MODEL}, hardware: [h200, l40s]`)]);
    expect(layoutsOf(decision)).toEqual(['1 x h200 on a', '4 x l40s on b']);
    const rendered = decision.replicas.map(({ cluster, deployment, former }) => [
      cluster.metadata.name,
      former,
      deployment.spec.template.spec.engines[0]?.members[0]?.template.spec.containers[0].args,
    ]);
    expect(rendered).toEqual([
      ['a', undefined, ['--model=Qwen/Qwen3-32B', '--max-model-len=32768']],
      ['b', undefined, ['--model=Qwen/Qwen3-32B', '--max-model-len=32768', '--tensor-parallel-size=4']],
    ]);
    const lock = parseLock(formatLock(decision.lock), 'lock');
    expect(decideParts([...TWO, deploymentText(`${MODEL}, hardware: [h200, l40s]`)], lock).outOfDate).toBe(false);
  });

  test('is on the classes of the spec alone', () => {
    const same = classText({ ...H200, name: 'other', price: 1 });
    const parts = [...TWO, same, clusterText('c', { other: 2 }), deploymentText(`${MODEL}, hardware: [h200]`)];
    expect(decideParts(parts).lock.placements.map(({ cluster }) => cluster)).toEqual(['a', 'a']);
  });

  test('stays when a cheaper class comes, which a note says, until it is chosen again', () => {
    const before = [classText(L40S), clusterText('b', { l40s: 2 }), deploymentText(MODEL)];
    const lock = parseLock(formatLock(decideParts(before).lock), 'lock');
    const cheap = classText({ ...H200, price: 8 });
    const after = [...before, cheap, clusterText('a', { h200: 2 })];
    const kept = decideParts(after, lock);
    expect(kept.outOfDate).toBe(false);
    expect(kept.plan.notes.join('\n')).toMatch(
      /ml\/chat costs less with 1 x H200: \$1\.00 an hour for a replica, and \$12\.00 with 4 x L40S, TP 4, which the lock has\. 'fleetwright lock DIR --refit' changes it\./,
    );
    const refit = decideParts(after, lock, { refit: true });
    expect(refit.outOfDate).toBe(true);
    expect(layoutsOf(refit)).toEqual(['1 x h200 on a']);
    // Replicas of the former layout serve until those of the new one do.
    expect(refit.schedule.placements.filter(({ draining }) => draining)).toHaveLength(2);
    const settled = parseLock(formatLock(refit.lock), 'lock');
    expect(decideParts(after, settled).outOfDate).toBe(false);
  });

  test('stays when rows of the model catalog change', () => {
    const parts = [classText(H200), clusterText('a', { h200: 2 }), deploymentText(MODEL)];
    const first = decideParts(parts);
    const { fleet, locate } = load(parts);
    const other = decide({ ...fleet, models: { models: new Map(), measurements: [] } }, locate, first.lock);
    expect(other.outOfDate).toBe(false);
    expect(other.replicas).toEqual(first.replicas);
  });

  test('changes with the spec', () => {
    const hardware = [classText(H200), clusterText('a', { h200: 2 })];
    const parts = (model: string) => [...hardware, deploymentText(model)];
    const lock = decideParts(parts(MODEL)).lock;
    const changed = decideParts(parts('repository: Qwen/Qwen3-32B, context: 32768, concurrency: 40'), lock);
    expect(layoutsOf(changed)).toEqual(['4 x h200 on a']);
    const load = 'load: {requestsPerSecond: 1, inputTokens: 1000, outputTokens: 100}';
    expect(decideParts(parts(`${MODEL}, ${load}`), lock).outOfDate).toBe(false);
  });

  test('brings no warning about devices of classes that it does not use', () => {
    const classes = [plainClassText('a100', '81920Mi'), plainClassText('h100', '81559Mi')];
    const model = 'repository: Qwen/Qwen3-8B, context: 8192, hardware: [a100]';
    const { plan } = decideParts([...classes, clusterText('a', { a100: 1, h100: 1 }), deploymentText(model)]);
    expect(plan.warnings.map(({ code }) => code)).toEqual([]);
  });

  test('does not depend on the order of the input', () => {
    const parts = [...TWO, deploymentText(MODEL), deploymentText(MODEL, '', 'other')];
    expect(formatLock(decideParts(parts.toReversed()).lock)).toBe(formatLock(decideParts(parts).lock));
  });

  test('spans nodes where one node does not hold the model', () => {
    const parts = [classText(L40S), clusterText('a', { l40s: 8 })];
    const decision = decideParts([...parts, deploymentText('repository: deepseek-ai/DeepSeek-V3, context: 8192')]);
    expect(decision.plan.deployments[0]?.layouts?.[0]?.division).toMatch(/^TP 8 x PP \d.*, \d nodes$/);
    expect(decision.plan.totals.unplaced).toBe(0);
    const [engine] = decision.fleet.deployments[0]?.spec.template.spec.engines ?? [];
    expect([engine?.bootstrap, engine?.members.map(({ role }) => role)]).toEqual(['Auto', ['Leader', 'Worker']]);
  });
});

describe('what is derived from a model', () => {
  const ON = [classText(H200), clusterText('a', { h200: 2 })];

  test('is a cache where all clusters have shared storage', () => {
    const stored = [classText(H200), clusterText('a', { h200: 2 }, true), deploymentText(MODEL)];
    const decision = decideParts(stored);
    expect(decision.fleet.caches.map(({ metadata, spec }) => [metadata.name, spec.sizeGiB])).toEqual([
      ['qwen-qwen3-32b', 124],
    ]);
    expect(containerOf(decision.fleet)?.args).toEqual(['--served-model-name=Qwen/Qwen3-32B', '--max-model-len=32768']);
    expect(decideParts([...ON, deploymentText(MODEL)]).fleet.caches).toEqual([]);
  });

  test('gives way to each field that is written', () => {
    const engine =
      '{name: chat, startup: {budget: 2h}, members: [{template: {spec: {containers: [{name: engine, args: [--max-model-len=20000, --seed=1], env: [{name: A, value: b}], resources: {requests: {cpu: "7"}}}]}}}]}';
    const written = `, template: {spec: {engines: [${engine}]}}`;
    const { fleet } = decideParts([...ON, deploymentText(MODEL, written)]);
    const [found] = fleet.deployments[0]?.spec.template.spec.engines ?? [];
    expect([found?.name, found?.startup.budget, found?.runtime]).toEqual(['chat', '2h', 'vLLM']);
    expect(containerOf(fleet)).toMatchObject({
      image: 'vllm/vllm-openai:v0.23.0',
      args: ['--model=Qwen/Qwen3-32B', '--max-model-len=20000', '--seed=1'],
      env: [{ name: 'A', value: 'b' }],
      resources: { requests: { cpu: '7', memory: '20Gi' } },
    });
  });

  const NICS =
    '{apiVersion: fleetwright.dev/v1alpha1, kind: InferenceClass, metadata: {name: wired}, spec: {from: aws/p5en.48xlarge, devices: [{name: nic, driver: dra.net, deviceClassName: dra.net, count: 8, attributes: {rdma: {bool: true}}}]}}';
  const onWritten: Record<string, { parts: readonly string[]; devices: string; want: readonly string[] }> = {
    'on the number of devices that is written': {
      parts: ON,
      devices: '{name: gpu, count: 4, where: {architecture: Hopper}}',
      want: ['4 x h200 on a'],
    },
    'on the class whose devices the written requests select, and on no cheaper one': {
      parts: TWO,
      devices: '{name: gpu, count: 4, where: {productName: NVIDIA H200}}',
      want: ['4 x h200 on a'],
    },
    'one layout of what the smallest holds where the written requests select several classes': {
      parts: TWO,
      devices: '{name: gpu, count: 4, where: {memory: ">= 40Gi"}}',
      want: ['4 x l40s on a, b'],
    },
    'on the GPUs alone where other devices are written next to them': {
      parts: [NICS, clusterText('a', { wired: 2 })],
      devices:
        '{name: gpu, count: 4, where: {productName: NVIDIA H200}}, {name: nic, count: 4, selectors: [{cel: "device.driver == \'dra.net\'"}]}',
      want: ['4 x h200 on a'],
    },
  };
  test.each(Object.entries(onWritten))('is %s', (_, { parts, devices, want }) => {
    const decision = decideParts([...parts, deploymentText(MODEL, writtenDevices(devices))]);
    expect(containerOf(decision.fleet)?.args).toContain('--tensor-parallel-size=4');
    expect(layoutsOf(decision)).toEqual(want);
    for (const { changes } of decision.plan.deployments) {
      expect(changes.map((one) => ('replica' in one ? one.replica.usage.length : 0))).toEqual([1, 1]);
    }
  });
});

describe('a model is refused', () => {
  const ON = [classText(H200), clusterText('a', { h200: 2 })];
  const rows: Record<string, { model: string; rest?: string; want: RegExp }> = {
    'with the three nearest names where no row has it': {
      model: 'repository: Qwen/Qwen3-33B',
      want: /fleet\.yaml:\d+:\d+: the model catalog has no row 'Qwen\/Qwen3-33B'\. The nearest are .*Qwen3-32B.*To add it, run 'fleetwright model add FOLDER --name Qwen\/Qwen3-33B', where FOLDER/,
    },
    'with the near miss where there is no class': {
      model: `${MODEL}, hardware: [h20]`,
      want: /there is no InferenceClass 'h20'\. Use 'h200'/,
    },
    'where no layout holds it, with the number that decides': {
      model: 'repository: Qwen/Qwen3-32B, context: 40960, concurrency: 100000',
      want: /no layout of Qwen\/Qwen3-32B on h200 holds 100,000 requests of 40,960 tokens at once \(on h200, TP 8 x PP 2, 2 nodes: .* GiB/,
    },
    'with a context that it does not have': {
      model: 'repository: Qwen/Qwen3-32B, context: 9999999',
      want: /9,999,999 tokens are more than the [\d,]+ of Qwen\/Qwen3-32B/,
    },
    'in a format that nothing has': {
      model: 'repository: Qwen/Qwen3-32B, quantization: mxfp4',
      want: /no row has Qwen\/Qwen3-32B in mxfp4, and vLLM does not convert bf16 to it/,
    },
    'on devices that do not hold it': {
      model: MODEL,
      rest: ', template: {spec: {engines: [{name: e, members: [{nodeSelector: {devices: [{name: g, count: 3, where: {architecture: Hopper}}]}}]}]}}',
      want: /no layout of Qwen\/Qwen3-32B has the GPUs and the parallelism that the engine asks for\. Leave 'devices'/,
    },
    'on more devices than a node has': {
      model: MODEL,
      rest: writtenDevices('{name: g, count: 16, where: {architecture: Hopper}}'),
      want: /:\d+: the engine needs 16 devices of one node, and no class has more than 8 \('h200'\)\. Request fewer/,
    },
    'on devices that no class has': {
      model: MODEL,
      rest: writtenDevices('{name: g, count: 1, where: {architecture: Turing}}'),
      want: /no class that the deployment may use has the devices that the engine requests\. Change the selectors/,
    },
    'on clusters that no label selects': {
      model: MODEL,
      rest: ', template: {spec: {clusterSelector: {matchLabels: {name: a}}}}',
      want: /no cluster matches name=a\. Use labels that a cluster has, as in 'fleetwright\.dev\/cluster: a' for its name/,
    },
    'next to another runtime': {
      model: MODEL,
      rest: ', template: {spec: {engines: [{name: e, runtime: SGLang}]}}',
      want: /the runtime is SGLang here, and spec\.model\.engine is vLLM/,
    },
    'with alternatives of devices, which have no fixed number': {
      model: MODEL,
      rest: writtenDevices(
        '{name: g, firstAvailable: [{name: a, count: 2, where: {architecture: Hopper}}, {name: b, count: 4, where: {architecture: Ampere}}]}',
      ),
      want: /:\d+: the number of GPUs depends on the alternative, and 'spec\.model' divides the model over a fixed number\. Write 'count'/,
    },
    'on a number of devices that its parallelism does not divide': {
      model: MODEL,
      rest: ", template: {spec: {engines: [{name: e, members: [{nodeSelector: {devices: [{name: g, count: 3, where: {architecture: Hopper}}]}, template: {spec: {containers: [{name: engine, image: 'vllm/vllm-openai:v0.23.0', args: [--tensor-parallel-size=2]}]}}}]}]}}",
      want: /:\d+: the engine divides the model over 2 GPUs, and its pod claims 3\. Make them equal/,
    },
    'with a pair of engines': {
      model: MODEL,
      rest: ', template: {spec: {serving: {mode: PrefillDecode}}}',
      want: /serving mode PrefillDecode needs engines of both phases/,
    },
  };
  test.each(Object.entries(rows))('%s', (_, { model, rest, want }) => {
    expect(errorsOf([...ON, deploymentText(model, rest)]).join('\n')).toMatch(want);
  });

  test('by its class alone, where that has an error', () => {
    const found = errorsOf([classText(H200), clusterText('a', { h20: 2 }), deploymentText(MODEL)]);
    expect(found).toEqual([expect.stringContaining("there is no InferenceClass 'h20'. Use 'h200'") as string]);
  });
});
