import type { Resource } from '../../src/api/kinds';
import { createKeptCheck } from '../../src/diff/kept-without-edits';
import { toCauses } from '../../src/diff/replica-causes';
import { aClass } from '../api/build';
import { aModel, aSite } from '../routing/build';
import { change, state } from './build';

const site = (name: string, nodeCount: number): Resource => aSite(name, { pools: { h100: { nodeCount } } });
const fleet = (nodes: number, on: string[], more: readonly Resource[] = []): Resource[] => [
  aClass('h100'),
  site('us', 4),
  site('eu', nodes),
  aModel('ml/coder', { on, replicas: 2 }),
  ...more,
];
const OTHER = [aModel('ml/other', { on: ['us'] })];
const SELECTOR = /clusterSelector/;
const NODES = /nodeCount$/;

test.each([
  ['all edits are left out', fleet(0, ['us']), /./, true],
  ['nodes stay, and a new deployment takes others', fleet(0, ['us', 'eu'], OTHER), NODES, true],
  ['nodes stay, and another edit asks for another cluster', fleet(0, ['us']), NODES, false],
  ['an edit is of no nodes, and there are others', fleet(1, ['us'], OTHER), SELECTOR, false],
  ['nothing is left out', fleet(0, ['us', 'eu']), /^$/, false],
])('whether a replica is kept is known where %s', (_, after, fields, want) => {
  const earlier = state('main', fleet(1, ['us', 'eu']));
  const { later, diff } = change(earlier, after);
  const causes = diff.declarations.flatMap(toCauses).filter(({ field }) => fields.test(field?.field ?? ''));
  const left = { deployment: 'ml/coder', clusters: ['eu'], causes };
  expect(createKeptCheck(diff, { before: earlier.decision, after: later.decision })(left)).toBe(want);
});
