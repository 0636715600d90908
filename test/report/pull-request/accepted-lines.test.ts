import type { Resource } from '../../../src/api/kinds';
import { aClass, aCluster, aDeployment, aMember } from '../../api/build';
import { comment } from './unplaced-comment';

const PRICED = aClass('h100', { price: { perHour: 10 } });
const site = (nodeCount: number): Resource => aCluster('us', { pools: { h100: { nodeCount } } });

/** A replica that takes a node. */
const q = aDeployment('ml/q', { replicas: 1, engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }] });

/** A replica of two pods that take a node each, of which the lock may lack all. */
const gang = aDeployment('ml/gang', {
  replicas: 1,
  allowPartial: true,
  engines: [{ name: 'main', members: [aMember({ role: 'Leader', gpus: 8 }), aMember({ role: 'Worker', gpus: 8 })] }],
});

const text = comment([PRICED, site(1), q], [PRICED, site(2), q, gang]);

test.each([
  [
    'is said to be accepted by the change itself',
    '\nFinds no place for the new `ml/gang`, which this change accepts, and declares 2 nodes instead of 1 in the node pool `us/h100`.',
  ],
  [
    'has lines that say that added nodes do not help',
    '\n- :warning: **The only replica of ml/gang fits nowhere \\(edit 2\\).** The node of edit 1 does not make it fit.\n  ',
  ],
  [
    'has what helps above the fold, with all nodes that it takes, and what to do without that',
    "\n  Cheapest: 1 more node in us / h100 \\(8 GPUs, +$7,300 a month\\), that is 'nodeCount: 3' instead of 2 \\(edit 1\\). Without that, leave out edit 1 \\(saves $7,300 a month\\): its node stays idle.\n",
  ],
  [
    'has the step of added nodes, which says that they stay idle',
    '\nTo do: give `us/h100` 2 nodes instead of 1, where the new node stays idle as things are (by hand ',
  ],
])('a new deployment without a place %s', (_, want) => {
  const [open = ''] = text.split('<details>');
  expect(open).toContain(want);
});

test('nothing is said of added nodes that other replicas get', () => {
  const { spec, ...rest } = q;
  const grown = { ...rest, spec: { ...spec, replicas: 2 } };
  expect(comment([PRICED, site(1), q], [PRICED, site(2), grown, gang])).not.toContain('stay idle');
});

test('a deployment that was there before has no lines, because its shortfall may be an earlier one', () => {
  const { spec, ...rest } = gang;
  const more = { ...rest, spec: { ...spec, replicas: 2 } };
  expect(comment([PRICED, site(2), q, gang], [PRICED, site(2), q, more])).not.toContain(':warning: **');
});
