import { whatIf } from '../../../src/analyze/what-if/what-if';
import { formatOutcomes } from '../../../src/report/analyze/what-if-text';
import { terminalLines } from '../../../src/report/document/write-terminal';
import { cluster, deployment, nodeClassWith } from '../../scheduler/build';
import { scenarioOf, settled, settledFrom } from './build';

const H100 = nodeClassWith('h100', { price: 10 });
const site = (name: string) => cluster(name, { a: 'h100 x 1' }, { labels: { region: name } });
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
  const remedy = 'once this change is declared, move ml/any from us to ap, without downtime ($0): fleetwright lock DIR';
  expect(lines).toContain(`cheapest: ${remedy}`);
  expect(lines).toContain(`Cheapest for ml/q: ${remedy}`);
});
