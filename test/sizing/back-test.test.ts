import { readFileSync, writeFileSync } from 'node:fs';
import { Workspace } from '../cli/cli';
import {
  compareMemory,
  compareRequests,
  compareTokens,
  formatBackTest,
  judgeRuns,
  judgeServed,
  within,
} from './back-test';

const share = (hits: readonly unknown[], all: readonly unknown[]): number => hits.length / all.length;

describe('against logged runs', () => {
  test('tokens are within 0.5 % of the log for at least 95 % of the runs', () => {
    const all = compareTokens();
    expect(all.length).toBeGreaterThan(70);
    expect(share(within(all, 0.005), all)).toBeGreaterThanOrEqual(0.95);
  });

  test('requests at once are within 0.1 % of the log for every hybrid and sliding model', () => {
    const all = compareRequests('other');
    expect(all.length).toBeGreaterThan(20);
    expect(all.filter((one) => !within([one], 0.001).length)).toEqual([]);
  });

  test('requests at once are within 0.5 % of the log for at least 95 % of the other runs', () => {
    const all = compareRequests('linear');
    expect(share(within(all, 0.005), all)).toBeGreaterThanOrEqual(0.95);
  });

  test('no run that served is called no', () => {
    expect(judgeRuns('serves').filter(({ verdict }) => verdict === 'no')).toEqual([]);
  });

  test('every refusal is called no or tight', () => {
    expect(judgeRuns('refused').filter(({ verdict }) => verdict === 'fits')).toEqual([]);
    expect(judgeRuns('refused')).toHaveLength(5);
  });

  test('at least 95 % of the layouts that a public benchmark serves fit, or are tight', () => {
    const all = judgeServed();
    const fitting = all.filter(({ verdict }) => verdict !== 'no');
    expect(share(fitting, all)).toBeGreaterThanOrEqual(0.95);
  });

  test('the logged KV memory is in the estimated range for at least 90 % of the runs', () => {
    const all = compareMemory();
    expect(
      share(
        all.filter(({ inside }) => inside),
        all,
      ),
    ).toBeGreaterThanOrEqual(0.9);
  });
});

const work = new Workspace();
afterAll(() => work.remove());

// `WRITE_SIZING=1 npx jest test/sizing/back-test` writes both.
test.each([
  ['the hit rate', /(?<=<!-- back-test -->\n)[^]*(?=\n<!-- end -->)/, () => formatBackTest()],
  ['the output of its example', /(?<=<!-- example: .* -->\n)[^]*(?=\n<!-- end of example -->)/, printExample],
])('docs/sizing.md states %s', (_, part, make) => {
  const page = readFileSync('docs/sizing.md', 'utf8');
  if (process.env.WRITE_SIZING) writeFileSync('docs/sizing.md', page.replace(part, make(page)));
  else expect(part.exec(page)?.[0]).toBe(make(page));
});

function printExample(page: string): string {
  const [, args = ''] = /<!-- example: (.*) -->/.exec(page) ?? [];
  return `\`\`\`\n$ fleetwright ${args}\n${work.run(args).out}\`\`\``;
}
