import { Workspace } from './cli';
import { FROM_CATALOGUE, writeFleet } from './named-files';

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

const MONITORED = FROM_CATALOGUE.replace('  cluster:\n', '  monitoring: {}\n  cluster:\n');

/** A file of prices with one node. */
function priceFile(perHour: number): string {
  return `prices: [{ instanceType: aws/p5.48xlarge, perHour: ${perHour}, source: invoice, asOf: 2026-10-31 }]\n`;
}

test.each<[what: string, manifests: string, later: number, want: string[]]>([
  [
    'changes the rules of a cluster with monitoring, which record what nodes cost',
    MONITORED,
    12,
    ['    ~ PrometheusRule monitoring/fleetwright-cluster'],
  ],
  ['changes no object of a cluster without monitoring', FROM_CATALOGUE, 12, []],
  ['that is written again changes no object', MONITORED, 10, []],
])('a price of the file of prices %s', (_, manifests, later, want) => {
  writeFleet(work, { manifests, prices: priceFile(10) });
  work.run('lock ./fleet');
  work.run('plan ./fleet --save ./then.json');
  writeFleet(work, { manifests, prices: priceFile(later) });
  const { code, out, err } = work.run('plan ./fleet --against ./then.json --all');
  expect([code, err]).toEqual([0, '']);
  expect(out.split('\n').filter((line) => /^ {4}[~+-] \w+ /.test(line))).toEqual(want);
});
