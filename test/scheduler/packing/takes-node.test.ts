import { fillsNode, type PodFootprint } from '../../../src/scheduler/packing/pod-footprint';

const cases: Record<string, { need: PodFootprint; want: boolean }> = {
  'all devices of a kind': { need: [{ count: 4, kinds: [0] }], want: true },
  'some of them': { need: [{ count: 3, kinds: [0] }], want: false },
  'as many as one kind has, of any of two': { need: [{ count: 4, kinds: [0, 1] }], want: false },
  'all of one kind next to some of another': {
    need: [
      { count: 1, kinds: [0] },
      { count: 2, kinds: [1] },
    ],
    want: true,
  },
  'what counts as the node': { need: 'node', want: true },
};

test.each(Object.entries(cases))('whether a pod takes a node: %s', (_, { need, want }) => {
  expect(fillsNode(need, [4, 2])).toBe(want);
});
