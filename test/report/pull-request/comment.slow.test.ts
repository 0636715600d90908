import * as fc from 'fast-check';
import { errorAt, warningAt } from '../../../src/base/diagnostic';
import type { FleetDiff } from '../../../src/diff/fleet-diff';
import type { Plan } from '../../../src/plan/plan';
import type { DeclarationChange } from '../../../src/diff/declaration-changes';
import { formatPullRequestComment as format } from '../../../src/report/pull-request/comment';
import { aClass, aCluster, aDeployment } from '../../api/build';
import { diff, state } from '../../diff/build';
import { aDoor, aModel, aSite, aSplit, to } from '../../routing/build';
import { daily } from '../../daily';

type Context = Parameters<typeof format>[2];

/** A comment with a context that has only what a row is about. */
function formatPullRequestComment(change: FleetDiff, plan: Plan, context: Partial<Context>): string {
  return format(change, plan, { name: 'fleet', verdicts: [], earlierWarnings: [], ...context });
}

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
                devices: [{ name: 'gpu', count: 1, selectors: [{ cel: 'device.driver == "gpu.nvidia.com"' }] }],
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
  return formatPullRequestComment(diff(was, is), state('here', is).decision.plan, {
    name: 'fleet',
    verdicts: [],
  });
}

test('a comment says in a sentence what happens, has a row for each deployment, and folds the rest', () => {
  const text = comment('vllm/vllm-openai:v0.11.0', 'vllm/vllm-openai:v0.12.0', 1);
  expect(text.split('\n').slice(0, 8)).toEqual([
    '### Fleet `fleet` against `main`',
    '',
    'Rolls `team-0/model-with-a-long-name-0` to `v0.12.0` one replica at a time. Cost unchanged.',
    '',
    '| deployment | replicas | GPUs | what happens | serving during rollout |',
    '| --- | ---: | ---: | --- | ---: |',
    '| `team-0/model-with-a-long-name-0` | 2 | 2 | 2 restarted, 1 at a time, each about 3 to 17 min: v0.11.0 → v0.12.0 | Pulumi, Argo CD: ≥ 1 of 2<br>Flux, kubectl: 0 |',
    '',
  ]);
  expect(summaries(text)).toEqual(['Replicas', 'Objects: 2 changed']);
  expect(text).toContain('\nEdits:\n\n1. `ModelDeployment ');
  expect(text.match(/<\/details>/g)).toHaveLength(2);
});

test('a replica that moves while the old one serves counts once', () => {
  const [model] = many('vllm/vllm-openai:v0.11.0', 1);
  const [eu, drained] = [[], [{ key: 'gone', effect: 'NoExecute' }]].map((taints) =>
    aCluster('eu', { pools: { h100: { nodeCount: 20 } }, taints }),
  );
  const [before, after] = [
    [H100, eu!, model!],
    [H100, drained!, us, model!],
  ];
  const text = formatPullRequestComment(diff(before, after), state('here', after).decision.plan, {});
  expect(text).toContain('\nDrains `eu`: moves 2 replicas of `team-0/model-with-a-long-name-0` to us');
  expect(text).toContain(
    '| `team-0/model-with-a-long-name-0` | 2 | 2 (+2 draining until finalized) | 2 moved: eu → us | ≥ 2 of 2 |',
  );
});

test('deployments to which the same happens share a row', () => {
  const text = comment('vllm/vllm-openai:v0.11.0', 'vllm/vllm-openai:v0.12.0', 100);
  const [head = ''] = text.split('<details>', 1);
  expect(head).toContain(
    '\nRolls 100 deployments of one replica each to `v0.12.0` with **downtime of about 3 to 17 minutes**. Cost unchanged.\n',
  );
  expect(head).toContain(
    '| 100 deployments: `team-0/model-with-a-long-name-0` … | 100 | 100 | 100 restarted, each with downtime, about 3 to 17 min: v0.11.0 → v0.12.0 |',
  );
  expect(head.split('\n').length).toBeLessThan(25);
});

test('a deployment with an edit of its own has a row of its own, above those that share one', () => {
  const [before, after] = ['v0.11.0', 'v0.12.0'].map((tag) => many(`vllm/vllm-openai:${tag}`, 20));
  const odd = (args: string[]) => {
    const [first, ...others] = structuredClone(after!);
    const [engine] = first!.spec.template.spec.engines;
    engine!.members[0]!.template.spec.containers[0].args = args;
    return [H100, us, ...others, first!];
  };
  const head = (args: string[]): string[] => {
    const [was, is] = [[H100, us, ...before!], odd(args)];
    return formatPullRequestComment(diff(was, is), state('here', is).decision.plan, {}).split('\n');
  };
  const eager = head(['Qwen/Qwen3-8B', '--enforce-eager']);
  expect(eager[2]).toContain(
    'olls 20 deployments of one replica each to `v0.12.0` with **downtime of about 3 to 17 minutes**, of these `team-0/model-with-a-long-name-0` with enforce-eager added. ',
  );
  expect(eager.slice(6, 8)).toEqual([
    expect.stringContaining(
      '| `team-0/model-with-a-long-name-0` | 1 | 1 | 1 restarted with downtime, about 3 to 17 min: v0.11.0 → v0.12.0, enforce-eager added |',
    ),
    expect.stringContaining('| 19 other deployments: '),
  ]);
  expect(head(['Qwen/Qwen3-0.6B'])[2]).toMatch(
    /^Rolls 20 deployments to `v0.12.0`: `team-0\/\S+-0` goes \*\*down\*\* \(model `Qwen\/Qwen3-8B` → `Qwen\/Qwen3-0\.6B`\), 19 of one replica each go \*\*down\*\*\./,
  );
});

test('however much changes, it fits into a comment, and says what it leaves out', () => {
  const text = comment('vllm/vllm-openai:v0.11.0', `vllm/vllm-openai:${'x'.repeat(100)}`, 120);
  expect(text.length).toBeLessThan(65_536);
  expect(text).toMatch(/\.\.\. and \d+ more lines: see 'fleetwright plan DIR --against REVISION --all'/);
});

test('of many findings the first are listed, and the others counted', () => {
  const resources = [H100, us, ...many('vllm/vllm-openai:v0.11.0', 1)];
  const { plan } = state('here', resources).decision;
  const policies = Array.from({ length: 25 }, (_, i) => {
    return { rule: `r${i}`, ...errorAt('denied', `a.yaml:${i}:1`, 'x'.repeat(999), 'Meet it') };
  });
  const text = formatPullRequestComment(
    diff(resources, resources),
    { ...plan, policies },
    { name: 'fleet', verdicts: [] },
  );
  const lines = text.split('\n');
  expect(lines.slice(2, 5)).toEqual([
    'Changes nothing.',
    '',
    expect.stringMatching(/^- :x: \*\*denied by r0: a\.yaml:0:1: x/),
  ]);
  expect(lines.slice(42, 45)).toEqual([
    expect.stringMatching(/^- :x: \*\*denied by r19: a\.yaml:19:1: x{900,1000}\.\*\*$/),
    '  Meet it.',
    '- and 5 more findings',
  ]);
});

test('what users write is no markup', () => {
  const text = comment('vllm/vllm-openai:v0.11.0', 'vllm/vllm-openai:```v1', 1);
  const fences = text.split('\n').filter((line) => /^`{3,}/.test(line));
  expect(new Set(fences)).toEqual(new Set(['```text', '```', '````text', '````']));
});

/** A plan and its comparison, as small ones have them: parts of it are put in the place of what is there. */
const small = [H100, us, ...many('vllm/vllm-openai:v0.11.0', 1)];
const [same, { plan: decided }] = [diff(small, small), state('here', small).decision];
const declared = (field: string) => {
  const change = { field, path: [], before: 1, after: 2, where: 'a.yaml:1:1' };
  return {
    id: 'InferenceClass h100',
    action: 'changed' as const,
    where: 'a.yaml:1:1',
    fields: [change],
  } satisfies DeclarationChange;
};
const asWarned = (finding: Plan['policies'][number]) => ({ ...finding, severity: 'warning' as const });
const finding = (what: string) => ({ rule: 'r', ...errorAt('denied', 'a.yaml:1:1', what, 'Meet it') });

/** Text of signs that take more room than they have, or that end what they are in. */
const signs = fc
  .tuple(fc.constantFrom('<', '`', '``` ', '|', '\n', '</details>', 'x'), fc.integer({ min: 1, max: 30_000 }))
  .map(([sign, times]) => sign.repeat(times));
const few = fc.array(signs, { maxLength: 30 });

test('however long and strange what it reports is, it fits, and closes what it opens', () => {
  fc.assert(
    fc.property(signs, few, few, few, few, (name, denied, warned, fields, verdicts) => {
      const warnings = warned.map((what) => warningAt('warned', 'a.yaml:1:1', what, 'Meet it'));
      const text = formatPullRequestComment(
        { ...same, declarations: fields.map(declared) },
        { ...decided, policies: denied.map(finding), warnings },
        { name, verdicts },
      );
      expect(text.length).toBeLessThanOrEqual(60_000);
      const isFolded = fields.length > 0 && !text.includes('\nEdits:\n');
      expect(text.match(/^<details>$/gm) ?? []).toHaveLength(isFolded ? 1 : 0);
      expect(text).toMatch(isFolded ? /\n<\/details>\n$/ : /\n$/);
    }),
    { seed: 11, numRuns: daily(20) },
  );
});

test('a head that is too long ends with a line of its own, and what gates say and what is folded stay', () => {
  const policies = Array.from({ length: 20 }, (_, i) => ({ ...finding('<'.repeat(999)), rule: `r${i}` }));
  const text = formatPullRequestComment(
    { ...same, declarations: [declared('spec.a')] },
    { ...decided, policies: [...policies, ...policies.map(asWarned)] },
    { name: 'fleet', verdicts: ['Gate: passed.'] },
  );
  const lines = text.split('\n');
  expect(lines.slice(-13)).toEqual([
    expect.stringMatching(/^And \d+ more lines: see `fleetwright plan DIR --against REVISION --all`\.$/),
    '',
    'Total: no replica changes, 2 unchanged.',
    '',
    'Gate: passed.',
    '',
    '<details>',
    '<summary>Edits: 1; other sections refer to their numbers</summary>',
    '',
    '1. `InferenceClass h100` `spec.a: 1 -> 2` (`a.yaml:1:1`)',
    '',
    '</details>',
    '',
  ]);
});

test('a full head leaves room for what gates say and for lines of what is folded, wherever it is cut', () => {
  const verdicts = ['Gate: passed.', 'x'.repeat(4_000)];
  const sizes = Array.from({ length: 200 }, (_, i) => 400 + i);
  const texts = sizes.flatMap((size) => {
    const policies = Array.from({ length: 20 }, () => finding('<'.repeat(size)));
    const plan = { ...decided, policies: [...policies, ...policies.map(asWarned)] };
    return [[declared('spec.a')], []].map((declarations) =>
      formatPullRequestComment({ ...same, declarations }, plan, { name: 'fleet', verdicts }),
    );
  });
  expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(60_000);
  expect(texts.filter((text) => text.includes('spec.a: 1 -> 2'))).toHaveLength(sizes.length);
});

test('of many short lines as many are folded as fit', () => {
  const declarations = Array.from({ length: 5_000 }, (_, i) => declared(`a${i}`));
  const text = formatPullRequestComment({ ...same, declarations }, decided, { name: 'fleet', verdicts: [] });
  expect(text.length).toBeLessThanOrEqual(60_000);
  expect(text.length).toBeGreaterThan(59_800);
});

test('an edit that has no room is counted', () => {
  const text = formatPullRequestComment({ ...same, declarations: [declared('`'.repeat(60_000))] }, decided, {});
  expect(text).toContain('\n\nAnd 1 more line: see `fleetwright plan DIR --against REVISION --all`.\n');
});

test.each([
  ['five edits are open', 5, '\nEdits:\n\n1. '],
  ['six are folded', 6, '<summary>Edits: 6; other sections refer to their numbers</summary>\n\n1. '],
])('%s', (_, count, want) => {
  const declarations = ['a', 'b', 'c', 'd', 'e', 'f'].slice(0, count).map((name) => declared(`spec.${name}`));
  expect(formatPullRequestComment({ ...same, declarations }, decided, {})).toContain(want);
});

const linkOf = (where: string) => `https://git.example.com/${where}`;

test('an edit links to its line, where the address of the repository is known', () => {
  const text = formatPullRequestComment({ ...same, declarations: [declared('spec.a')] }, decided, { linkOf });
  expect(text).toContain('([`a.yaml:1:1`](https://git.example.com/a.yaml:1:1))');
});

test('a warning that the change brings is shown, and one that was there is folded', () => {
  const [old, fresh] = [
    warningAt('warned', 'a.yaml:1:1', 'old', 'Meet it'),
    warningAt('warned', 'a.yaml:2:1', 'fresh', 'Meet it'),
  ];
  const moved = { ...old, at: 'main:a.yaml:9:1' };
  const text = formatPullRequestComment(same, { ...decided, warnings: [old, fresh] }, { earlierWarnings: [moved] });
  const [head = '', folded = ''] = text.split('<details>');
  expect(head).toContain('- :warning: a.yaml:2:1: fresh. Meet it.');
  expect(head).not.toContain('old');
  expect(folded).toMatch(
    /^\n<summary>Warnings that the target branch has too: 1<\/summary>\n\n```text\na\.yaml:1:1: old\. Meet it\.\n/,
  );
});

test('warnings of one kind share a line', () => {
  const warnings = Array.from({ length: 90 }, (_, i) => warningAt('warned', `a.yaml:${i}:1`, `what ${i}`, 'Meet it'));
  const text = formatPullRequestComment(same, { ...decided, warnings }, {});
  expect(text.match(/:warning:.*/g)).toEqual([':warning: a.yaml:0:1: what 0. Meet it. 89 more of this kind.']);
});

test('a name in code may begin and end with the sign of code', () => {
  const text = formatPullRequestComment(same, decided, { name: '`a', verdicts: [] });
  expect(text).toMatch(/^### Fleet `` `a `` against /);
});

function summaries(text: string): string[] {
  return [...text.matchAll(/<summary>(.*)<\/summary>/g)].map(([, title = '']) => title);
}

const pool = (nodeCount: number) => ({ pools: { made: { className: 'made', nodeCount } } });

test('the cost of a month is in the first sentence, and routes, cloud resources and cost are folded', () => {
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
  const text = formatPullRequestComment(diff(before, after), state('here', after).decision.plan, {
    name: 'fleet',
    verdicts: [],
  });
  expect(text).toContain('. Cost: **+$7,300 a month** (+50 %).\n');
  expect(text).toContain('\n| `ml/chat` | `ml/a` (1 replica) | no routes | new, 100.0 % |\n');
  expect(summaries(text)).toEqual(
    expect.arrayContaining(['Routes: 1 service changed', 'Cloud resources: 1 changed; 2 -> 3 nodes', 'Cost an hour']),
  );
  expect(text).toContain('\n  + routes of ml/chat');
});
