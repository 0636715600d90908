import type { Resource } from '../../../src/api/kinds';
import { aClass, aCluster, aDeployment, anEngine } from '../../api/build';
import { comment } from './unplaced-comment';

/** Nodes of 8 GPUs, so that a copy of one GPU costs 730 a month. */
const PRICED = aClass('h100', { price: { perHour: 8 } });

const site = (maxNodeCount: number): Resource =>
  aCluster('us', { pools: { h100: { nodeCount: 1, minNodeCount: 1, maxNodeCount } }, monitoring: {} });

const chat = (max: number): Resource =>
  aDeployment('ml/chat', {
    engines: [anEngine('main', { copies: { min: 1, max }, scaling: { on: [{ queue: 4 }] } })],
  });

const NOTE =
  '\nThe rows do not add up: a deployment has the cost of what its copies use, the fleet that of all nodes, from the fewest to the most that can run. The difference of the fleet is that of these bounds: the bill itself can rise.\n';
const RISES = 'the bill can rise: `ml/chat` uses up to $1,460 more.';

test('a cost whose upper bound alone falls while more is used says by how much it can rise, and why rows do not add up', () => {
  const text = comment([PRICED, site(4), chat(4)], [PRICED, site(3), chat(6)]);
  expect(text).toContain(
    `. Cost: **$5,840 to $17,520 a month** instead of $5,840 to $23,360 (at most 3 nodes instead of 4). Within this range, ${RISES}`,
  );
  expect(text).toContain('| **$0 to -$5,840 (bounds)** |');
  expect(text).toContain('; cost: $5,840 to $17,520 instead of $5,840 to $23,360 a month.');
  expect(text).toContain(NOTE);
});

test.each([
  ['no more is used', site(3), chat(4)],
  ['the bound stays', site(4), chat(6)],
  ['the bound rises', site(5), chat(6)],
  ['no more nodes than the fewest can run', site(1), chat(6)],
])('nothing is said where %s', (_, later, model) => {
  const text = comment([PRICED, site(4), chat(4)], [PRICED, later, model]);
  expect(text).not.toContain('the bill can rise');
  expect(text).not.toContain(NOTE);
});

test('bounds of which a part has no price are not stated', () => {
  const other = aCluster('eu', { pools: { free: { className: 'free', nodeCount: 1 } } });
  const rest = [PRICED, aClass('free'), other];
  const text = comment([...rest, site(4), chat(4)], [...rest, site(3), chat(6)]);
  expect(text).toContain(`Cost: **$0 to -$5,840 a month**. All the same, ${RISES}`);
});
