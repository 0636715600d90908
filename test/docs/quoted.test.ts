import { readFileSync } from 'node:fs';

/** Messages that pages quote, the names in them that pages change, and the test that compares what is printed. */
const QUOTED: readonly (readonly [
  page: string,
  start: string,
  names: Readonly<Record<string, string>>,
  test: string,
])[] = [
  ['docs/placement.md', 'cheapest: move ml/any', {}, 'test/scheduler/rebalance.test.ts'],
  ['docs/pulumi.md', 'us: waves would block', { 'ml/chat': 'ml/q' }, 'test/stacks/wave-check.test.ts'],
];

test.each(QUOTED)('%s quotes "%s" as a test has it', (page, start, names, file) => {
  const line = readFileSync(page, 'utf8')
    .split('\n')
    .find((one) => one.trim().startsWith(start));
  const text = Object.entries(names).reduce((said, [from, to]) => said.replaceAll(from, to), line?.trim() ?? 'none');
  expect(readFileSync(file, 'utf8')).toContain(text.replace('cheapest: ', ''));
});
