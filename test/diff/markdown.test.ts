import { formatMarkdown } from '../../src/diff/markdown';
import { aClass, aCluster, aDeployment } from '../api/build';
import { aDoor, aModel, aSite, aSplit, to } from '../routing/build';
import { diff, state } from './build';

const H100 = aClass('h100');
const us = aCluster('us', { pools: { h100: { nodeCount: 20 } } });
const many = (image: string, count: number) =>
  Array.from({ length: count }, (_, i) =>
    aDeployment(`team-${i % 7}/model-with-a-long-name-${i}`, {
      replicas: count === 1 ? 2 : 1,
      engines: [
        {
          name: 'main',
          members: [
            {
              nodeSelector: {
                devices: [
                  { name: 'gpu', count: 1, selectors: [{ cel: 'device.driver == "gpu.nvidia.com"' }] },
                ],
              },
              template: { spec: { containers: [{ name: 'engine', image, args: ['Qwen/Qwen3-8B'] }] } },
            },
          ],
        },
      ],
    }),
  );

function comment(before: string, after: string, count: number): string {
  const [was, is] = [
    [H100, us, ...many(before, count)],
    [H100, us, ...many(after, count)],
  ];
  return formatMarkdown(diff(was, is), state('here', is).decision.plan, { name: 'fleet', verdicts: [] });
}

test('a comment has a row for each deployment, and folds the rest', () => {
  const text = comment('vllm/vllm-openai:v0.11.0', 'vllm/vllm-openai:v0.12.0', 1);
  expect(text.split('\n').slice(0, 6)).toEqual([
    '### Fleet `fleet` against `main`',
    '',
    '| deployment | replicas | placed | rolled | leaving | removed | serving meanwhile |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    '| team-0/model-with-a-long-name-0 | 2 |  | 2 |  |  | ≥ 1 (0 at once) |',
    '',
  ]);
  expect(summaries(text)).toEqual(['Declarations: 1 changed', 'Replicas: why', 'Objects: 2 changed']);
  expect(text.match(/<\/details>/g)).toHaveLength(3);
});

test('however much changes, it fits into a comment, and says what it leaves out', () => {
  const text = comment('vllm/vllm-openai:v0.11.0', `vllm/vllm-openai:${'x'.repeat(100)}`, 120);
  expect(text.length).toBeLessThan(65_536);
  expect(text).toContain('And 20 deployments more.');
  expect(text).toMatch(/\.\.\. and \d+ lines more: see 'fleetwright plan'/);
});

test('of much that is denied some is told, and the rest counted', () => {
  const resources = [H100, us, ...many('vllm/vllm-openai:v0.11.0', 1)];
  const { plan } = state('here', resources).decision;
  const policies = Array.from({ length: 25 }, (_, i) => {
    return { rule: 'r', effect: 'Deny', where: `a.yaml:${i}:1`, what: 'x'.repeat(999) } as const;
  });
  const text = formatMarkdown(
    diff(resources, resources),
    { ...plan, policies },
    { name: 'fleet', verdicts: [] },
  );
  const lines = text.split('\n');
  expect(lines.slice(21, 25)).toEqual([
    expect.stringMatching(/^- :x: denied by r: a\.yaml:19:1: x{500,600}$/),
    '- and 5 more findings',
    '',
    'No replica changes.',
  ]);
});

test('what users write is no markup', () => {
  const text = comment('vllm/vllm-openai:v0.11.0', 'vllm/vllm-openai:```v1', 1);
  const fences = text.split('\n').filter((line) => /^`{3,}/.test(line));
  expect(new Set(fences)).toEqual(new Set(['````text', '````']));
});

function summaries(text: string): string[] {
  return [...text.matchAll(/<summary>(.*)<\/summary>/g)].map(([, title = '']) => title);
}

const pool = (nodeCount: number) => ({ pools: { made: { className: 'made', nodeCount } } });

test('the cost of a month is told above, and routes, cloud resources and cost are folded', () => {
  const made = aClass('made', {
    price: { perHour: 10 },
    provisioning: {
      provider: 'GKE',
      gke: { machineType: 'a3-highgpu-8g', accelerator: { type: 'nvidia-h100-80gb', count: 8 } },
    },
  });
  const door = aDoor(['us']);
  const before = [
    made,
    aSite('us', { source: 'GKE', ...pool(2) }),
    door,
    aModel('ml/a', { replicaLabels: { a: 'b' } }),
  ];
  const after = [
    made,
    aSite('us', { source: 'GKE', ...pool(3) }),
    door,
    aModel('ml/a', { replicaLabels: { a: 'b' } }),
    aSplit('ml/chat', [to({ a: 'b' })]),
  ];
  const text = formatMarkdown(diff(before, after), state('here', after).decision.plan, {
    name: 'fleet',
    verdicts: [],
  });
  expect(text).toContain('\ncost/month in USD: 14600.00 → 21900.00 \\(+7300.00\\)\n');
  expect(summaries(text)).toEqual(
    expect.arrayContaining([
      'Routes: 1 service changed',
      'Cloud resources: 1 changed; 2 -> 3 nodes',
      'Cost: where it changes',
    ]),
  );
  expect(text).toContain('\n  + routes of ml/chat');
});
