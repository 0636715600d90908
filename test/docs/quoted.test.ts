import { readFileSync } from 'node:fs';

const DRAFT = 'test/live/draft/draft-cluster.test.ts';

/** Messages that pages quote, the names in them that pages change, and the test that compares what is printed. */
const QUOTED: readonly (readonly [
  page: string,
  start: string,
  names: Readonly<Record<string, string>>,
  test: string,
])[] = [
  ['docs/placement.md', 'cheapest: move 1 replica of ml/any', {}, 'test/scheduler/rebalance.test.ts'],
  [
    'docs/live.md',
    'note: pools: by',
    { 'note: ': '', 'node.kubernetes.io/instance-type': 'cloud.google.com/gke-nodepool' },
    DRAFT,
  ],
  ['docs/live.md', 'note: storage', { 'note: ': '', nfs: 'efs' }, DRAFT],
  ['docs/live.md', 'note: gateway', { 'note: ': '' }, DRAFT],
  [
    'docs/live.md',
    'Wrote a cluster',
    { '2 pools': '1 pool', 'clusters/onprem': 'fleet/us' },
    'test/cli/commands/write-draft.test.ts',
  ],
  [
    'docs/live.md',
    'drift',
    { 'drift     Deployment ml/llama-70b-0-main-6a105: ': '' },
    'test/cli/commands/status.test.ts',
  ],
  ['docs/live.md', 'ok       ml/chat at', { 'https://models.': 'http://chat.' }, 'test/cli/commands/smoke.test.ts'],
  ['docs/live.md', 'warning  ml/openai at', {}, 'test/cli/commands/smoke-models.test.ts'],
  ['docs/live.md', '1 of 1 endpoint', {}, 'test/cli/commands/smoke-models.test.ts'],
  ['docs/pulumi.md', 'us: waves would block', { 'ml/chat': 'ml/q' }, 'test/stacks/wave-check.process.test.ts'],
];

test.each(QUOTED)('%s quotes "%s" as a test has it', (page, start, names, file) => {
  const line = readFileSync(page, 'utf8')
    .split('\n')
    .find((one) => one.trim().startsWith(start));
  const text = Object.entries(names).reduce((said, [from, to]) => said.replaceAll(from, to), line?.trim() ?? 'none');
  expect(readFileSync(file, 'utf8')).toContain(text.replace('cheapest: ', ''));
});
