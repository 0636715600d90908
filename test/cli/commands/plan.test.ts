import { runCommandLine } from '../../../src/cli/run';
import { SMALL, Workspace } from '../cli';

const PRICED = SMALL.replace('spec:\n  devices:', 'spec:\n  price: { perHour: 10 }\n  devices:');
const GROWN = PRICED.replace('nodeCount: 2', 'nodeCount: 3');
const EUROS = 'currency: EUR\n';
const FLEET = 'apiVersion: fleetwright.dev/v1alpha1\nkind: Fleet\nmetadata: { name: fleet }\nspec:\n';

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ 'now/fleet.yaml': PRICED, 'then/fleet.yaml': GROWN });
  for (const state of ['now', 'then']) work.run(`lock ./${state}`);
});
afterEach(() => work.remove());

const TOTAL = 'Cost: $30 an hour, $21,900 a month of 730 hours\n';
const CHANGE = 'Cost an hour: $20 -> $30 (+$10); a month of 730 hours: $14,600 -> $21,900 (+$7,300)\n';

const rows: Record<string, { args: string; out: string; without?: string }> = {
  'prints what each part costs, and nothing else': {
    args: '--cost',
    out: `Cost, a month of 730 hours

FLEET                  AN HOUR  A MONTH  SOURCES
nodes that always run      $30  $21,900        1`,
    without: 'Total:',
  },
  'prints the difference, where another state is named': {
    args: '--cost --against ./now',
    out: `
CLUSTER                          BEFORE    AFTER  DIFFERENCE  SOURCES
us                       hour       $20      $30        +$10        1
                         month  $14,600  $21,900     +$7,300        1
  nodes that always run  hour       $20      $30        +$10        1
                         month  $14,600  $21,900     +$7,300        1
  idle                   hour       $10      $20        +$10        1
                         month   $7,300  $14,600     +$7,300        1
  h100                   nodes        2        3`,
    without: 'DEPLOYMENT',
  },
  'prints the total alone, where little is asked for': {
    args: '--cost --quiet',
    out: TOTAL,
    without: 'FLEET',
  },
  'prints the difference of the totals alone': {
    args: '--cost --quiet --against ./now',
    out: CHANGE,
    without: 'FLEET',
  },
  'ends with what the gate says': { args: '--cost --gate --against ./now', out: '\n\nGate: ' },
};

test.each(Object.entries(rows))('plan --cost %s', (_, { args, out: want, without = 'bug' }) => {
  const { code, out, err } = work.run(`plan ./then ${args}`);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain(want);
  expect(out).not.toContain(without);
});

test('of two currencies nothing is compared, and that is reported', () => {
  work.write({
    'now/prices.yaml': EUROS,
    'now/settings.yaml': `${FLEET}  prices: ./prices.yaml\n`,
    'now/fleet.yaml': PRICED.replace('perHour: 10', 'perHour: 10, currency: EUR'),
  });
  const { out } = work.run('plan ./then --cost --against ./now');
  expect(out).toContain(
    'The other state has costs in another currency, so only the costs of this state are shown.\nCost, a month',
  );
  expect(work.run('plan ./then --cost --quiet --against ./now').out).toBe(TOTAL);
});

test('what no one sells is nothing to pay for', () => {
  work.write({ 'then/fleet.yaml': SMALL.slice(0, SMALL.indexOf('---')) });
  const [tables, total] = ['', ' --quiet'].map((more) => work.run(`plan ./then --cost${more}`).out);
  expect([tables, total]).toEqual(Array(2).fill('Cost: none.\n'));
});

test.each(['json', 'graph', 'markdown'])('--cost and --%s at once are refused', (view) => {
  const { code, out, err } = work.run(`plan ./then --cost --${view} --against ./now`);
  expect(code).toBe(1);
  expect(out + err).toContain(`--${view} and --cost exclude each other`);
});

/** The tables of an example in a terminal of some width. */
function printed(width?: number): string {
  let text = '';
  const out = (more: string): void => void (text += more);
  const io = { out, err: out, terminal: false, env: {}, stdin: () => '', width };
  void runCommandLine(['plan', 'examples/quickstart', '--cost'], io, '0.0.0');
  return text;
}

function figuresIn(text: string): string[] {
  return text.match(/[\d.]+\.\d\d|unknown/g) ?? [];
}

test.each([80, 100, 140])('the tables of the quickstart fit %d columns, with every figure', (width) => {
  const text = printed(width);
  expect(text.split('\n').filter((line) => line.length > width)).toEqual([]);
  expect(figuresIn(text)).toEqual(figuresIn(printed()));
});
