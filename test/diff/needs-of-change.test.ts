import type { Resource } from '../../src/api/kinds';
import { findNeedsOfChange } from '../../src/diff/needs-of-change';
import { aDoor, aModel, aSite, aSplit, to } from '../routing/build';
import { aClass } from '../api/build';
import { state } from './build';

const pool = { pools: { h100: { nodeCount: 2 } } };
const rest = [
  aClass('h100'),
  aSite('eu', pool),
  aSite('us', pool),
  aModel('ml/a', { replicas: 2, replicaLabels: { a: 'b' } }),
  aSplit('ml/chat', [to({ a: 'b' })]),
];

/** The DNS records that a change asks for. */
function recordsOf(before: Resource[], after: Resource[]): string[] {
  const [was, is] = [state('main', before).decision, state('here', after).decision];
  const needs = findNeedsOfChange({ cloud: [] }, was, is.plan.mustExist);
  return needs.flatMap(({ objects }) => objects.flatMap(({ kind, name }) => (kind === 'DNS record' ? [name] : [])));
}

test('a DNS record that the earlier state needs elsewhere is there already', () => {
  const [before, after] = [
    [...rest, aDoor(['us'])],
    [...rest, aDoor(['eu'])],
  ];
  const all = recordsOf(rest, before);
  expect(all.length).toBeGreaterThan(0);
  expect(recordsOf(before, after).filter((name) => all.includes(name))).toEqual([]);
});
