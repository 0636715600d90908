import type { Resource } from '../../src/api/kinds';
import { diffStates } from '../../src/diff/fleet-diff';
import { findGateFindings } from '../../src/diff/gate-findings';
import type { ApplyMode } from '../../src/diff/serving-during-change';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { formatGateFinding } from '../../src/report/diff/gate-text';
import { byPath } from '../api/build';
import { state } from './build';
import { model, priced, site } from './rollout-fleet';

interface Row {
  nodes: number;
  before: Resource;
  after: Resource;
  applied?: ApplyMode;
  want: unknown[];

  /** How many deployments are offered room. Default: one. */
  rooms?: number;
}

const two = (tag: string, gpus = 8) => model(gpus, tag, 'ml/q', 2);

const rows: Record<string, Row> = {
  'where all replicas restart at once, a surge for which there is room says so': {
    nodes: 4,
    before: two('v0.23.0'),
    after: two('v0.24.0'),
    want: [
      expect.stringContaining(
        " Set 'rollout.surge: 1', for which there is room (cost unchanged; the surge reserves 16 GPUs of us/h100 worth $14,600 a month); or accept downtime",
      ),
    ],
  },
  'one without room names the nodes that it needs': {
    nodes: 3,
    before: two('v0.23.0'),
    after: two('v0.24.0'),
    want: [expect.stringContaining(". Add 1 more node of us/h100 and set 'rollout.surge: 1' (+$7,300 a month; ")],
  },
  'room for other engines that is enough wave by wave is not advised': {
    nodes: 2,
    before: two('v0.23.0'),
    after: two('v0.23.0', 4),
    want: [expect.not.stringContaining('surge')],
    rooms: 0,
  },
  'where replicas restart wave by wave, one of them serves': {
    nodes: 3,
    before: two('v0.23.0'),
    after: two('v0.24.0'),
    applied: 'withWaves',
    want: [],
    rooms: 0,
  },
};

test.each(Object.entries(rows))('%s', (_, { nodes, before, after, applied = 'atOnce', want, rooms = 1 }) => {
  const [was, is] = [before, after].map((one) => [priced, site('us', nodes), one]);
  const earlier = state('main', was ?? []);
  const later = state('here', is ?? [], earlier.decision.lock, earlier);
  const planned = decide(assemble(is ?? []), byPath, earlier.decision.lock);
  const diff = diffStates(earlier, later, planned, { applied });
  const context = { before: earlier.decision, after: later.decision, applied, acceptRemovals: false };
  const located = { fleet: later.decision.fleet, locate: byPath, applied };
  const found = findGateFindings(diff, context).map((one) => formatGateFinding(one, located));
  expect(found).toEqual(want);
  expect(diff.deployments.flatMap(({ room }) => room ?? [])).toHaveLength(rooms);
});
