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
  '\nRows of deployments are what they use, that of the fleet is what nodes cost at least and at most: they do not add up.\n';
const RISES = ' by what can run at most; the bill can rise, because `ml/chat` uses more.';

test('a cost whose upper bound alone falls while more is used says so, and why rows do not add up', () => {
  const text = comment([PRICED, site(4), chat(4)], [PRICED, site(3), chat(6)]);
  expect(text).toContain(RISES);
  expect(text).toContain(NOTE);
});

test.each([
  ['no more is used', site(3), chat(4)],
  ['the bound stays', site(4), chat(6)],
  ['the bound rises', site(5), chat(6)],
])('nothing is said where %s', (_, later, model) => {
  const text = comment([PRICED, site(4), chat(4)], [PRICED, later, model]);
  expect(text).not.toContain('the bill can rise');
  expect(text).not.toContain(NOTE);
});
