import { whatIf } from '../../../src/analyze/what-if/what-if';
import type { Resource } from '../../../src/api/kinds';
import { formatOutcomes } from '../../../src/report/analyze/what-if-text';
import { terminalLines } from '../../../src/report/document/write-terminal';
import { aGateway, byPath } from '../../api/build';
import { cluster, deployment, device, nodeClassWith } from '../../scheduler/build';
import { scenarioOf, settled } from './build';

const H100 = nodeClassWith('h100', { price: 10 });
const A10 = nodeClassWith('a10', { price: 1 }, device('gpu', { count: 1 }));
const DRAINED = { taints: [{ key: 'x', effect: 'NoExecute' }] };
const on = (name: string, pool: string, options = {}) => cluster(name, { a: pool }, options);
const q = (replicas: number, template = {}) => deployment('ml/q', { replicas, template });
const ONLY_EU = { clusterSelector: { matchLabels: { 'fleetwright.dev/cluster': 'eu' } } };
const NO_DEVICES =
  "drain of eu: cannot finish, 1 of 1 replica cannot move: ml/q eu/0 has no replacement. No other cluster has the devices of ml/q: add a pool with them to one, or accept downtime with 'replicas: 0'";

const cases: Record<string, { resources: Resource[]; want: string[] }> = {
  'warns of a gateway that stays on the cluster': {
    resources: [H100, on('eu', 'h100 x 1'), on('us', 'h100 x 1'), q(1), aGateway('g', 'eu', 'us')],
    want: [
      "warning: InferenceGateway g spec.clusters.0: eu is to be drained, but still serves the gateway g. Before you stop the cluster, remove 'eu' from spec.clusters, with a new lock and synth.",
      'drain of eu: can finish, because its 1 replica has a replacement',
    ],
  },
  'does not warn of a gateway on a cluster that is drained already': {
    resources: [H100, on('eu', 'h100 x 1'), on('us', 'h100 x 1', DRAINED), q(1), aGateway('g', 'us')],
    want: [NO_DEVICES],
  },
  'says that no other cluster has the devices, where a selector keeps the only replica there too': {
    resources: [H100, A10, on('eu', 'h100 x 1'), on('us', 'a10 x 1'), q(1, ONLY_EU)],
    want: [NO_DEVICES],
  },
  'says that replicas are kept off a cluster that has the devices': {
    resources: [H100, on('eu', 'h100 x 2'), on('us', 'h100 x 2'), q(2, ONLY_EU)],
    want: [
      'drain of eu: cannot finish, 2 of 2 replicas cannot move: ml/q eu/0 has no replacement; ml/q eu/1 has no replacement. Remove what keeps it off another cluster, or lower the number of replicas',
    ],
  },
};

describe('what-if of a drain', () => {
  test.each(Object.entries(cases))('%s', (_, { resources, want }) => {
    const decision = settled(...resources);
    const outcomes = whatIf(decision, [scenarioOf(decision, 'drain eu')], byPath);
    const lines = terminalLines(formatOutcomes(outcomes, decision.fleet));
    expect(lines.filter((line) => /^(warning|drain of)/.test(line))).toEqual(want);
  });
});
