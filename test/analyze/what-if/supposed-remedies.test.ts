import { whatIf } from '../../../src/analyze/what-if/what-if';
import { formatOutcomes } from '../../../src/report/analyze/what-if-text';
import { terminalLines } from '../../../src/report/document/write-terminal';
import { cluster, deployment, nodeClassWith } from '../../scheduler/build';
import { scenarioOf, settled, settledFrom } from './build';

const H100 = nodeClassWith('h100', { price: 10 });
const pool = (name: string, nodes: number) => cluster(name, { a: `h100 x ${nodes}` }, { labels: { region: name } });
const site = (name: string) => pool(name, 1);
const only = (...values: string[]) => ({
  template: { clusterSelector: { matchExpressions: [{ key: 'region', operator: 'In', values }] } },
});

test('a rebalance that a drain needs is named as a command for after the drain is declared', () => {
  const any = deployment('ml/any', only('ap', 'us'));
  const before = settled(H100, site('us'), any);
  const decision = settledFrom(
    before,
    H100,
    site('ap'),
    site('eu'),
    site('us'),
    any,
    deployment('ml/q', only('eu', 'us')),
  );
  const lines = terminalLines(
    formatOutcomes(whatIf(decision, [scenarioOf(decision, 'drain eu')]), decision.fleet),
  ).join('\n');
  const remedy =
    'once this change is declared, move 1 replica of ml/any from us to ap, without downtime ($0): fleetwright lock DIR';
  expect(lines).toContain(`cheapest: ${remedy}`);
  expect(lines).toContain(`Cheapest for ml/q: ${remedy}`);
});

/** A replica that runs anywhere, and one that runs only in the region us. */
const fleetWith = (ap: number) => [
  H100,
  pool('ap', ap),
  pool('us', 2),
  deployment('ml/any'),
  deployment('ml/q', only('us')),
];

test('moves for a replica that a change takes down come before it, in a change of their own', () => {
  const decision = settledFrom(settled(...fleetWith(0)), ...fleetWith(1));
  const outcomes = whatIf(decision, [scenarioOf(decision, 'add-nodes us/a=-1')]);
  expect(terminalLines(formatOutcomes(outcomes, decision.fleet)).join('\n')).toContain(
    'cheapest: before this change, in one of its own, move 1 replica of ml/any from us to ap, without downtime ($0): with this change declared: fleetwright lock DIR --only ml/any --only ml/q --rebalance ml/any --accept-unplaced; with it undone: fleetwright lock DIR; when the moved replicas serve: fleetwright lock DIR --finalize; then declare this change again',
  );
});

test('moves for a replica that is down already wait for nothing, and accept that it is', () => {
  const before = settled(
    H100,
    site('us'),
    site('eu'),
    deployment('ml/any', only('us', 'ap')),
    deployment('ml/q', only('eu', 'us')),
  );
  const decision = settledFrom(
    before,
    H100,
    site('ap'),
    site('eu'),
    site('us'),
    deployment('ml/any', only('us', 'ap')),
    deployment('ml/q', only('eu', 'us')),
  );
  const outcomes = whatIf(decision, [scenarioOf(decision, 'lose eu')]);
  expect(terminalLines(formatOutcomes(outcomes, decision.fleet)).join('\n')).toContain(
    'once this change is declared, move 1 replica of ml/any from us to ap, without downtime ($0): fleetwright lock DIR --rebalance ml/any --accept-unplaced; when',
  );
});
