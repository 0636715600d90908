import { wavesOf } from '../../src/scheduler/rollout-waves';
import type { Placement } from '../../src/scheduler/placement';

/** Placements written `deployment cluster/index`, with `~` in front of those that are draining. */
function at(text: string): Placement {
  const draining = text.startsWith('~');
  const [deployment = '', place = ''] = (draining ? text.slice(1) : text).split(' ');
  const [cluster = '', index] = place.split('/');
  return { deployment, cluster, index: Number(index), pools: {}, shape: '', ...(draining && { draining }) };
}

interface Case {
  placements: string[];
  parallel?: number;
  /** `fleet/cluster` of each, in the same order. */
  want: string[];
}

const cases: Record<string, Case> = {
  'one replica at a time, cluster by cluster': {
    placements: ['a us/0', 'a eu/1', 'a eu/0', 'a us/1'],
    want: ['3/1', '2/2', '1/1', '4/2'],
  },
  'as many at a time as are parallel': {
    placements: ['a eu/0', 'a eu/1', 'a eu/2', 'a us/0', 'a us/1'],
    parallel: 2,
    want: ['1/1', '1/1', '2/2', '2/1', '3/1'],
  },
  'each deployment begins at once': {
    placements: ['a eu/0', 'b eu/0', 'b eu/1'],
    want: ['1/1', '1/1', '2/2'],
  },
  'everything at once where no number holds it back': {
    placements: ['a eu/0', 'a eu/1', 'a us/0'],
    parallel: Infinity,
    want: ['1/1', '1/1', '1/1'],
  },
  'what is draining keeps nothing waiting': {
    placements: ['~a eu/0', 'a eu/1', 'a us/0'],
    want: ['3/2', '1/1', '2/1'],
  },
  'even where nothing else is': { placements: ['~a eu/0', 'a us/0'], want: ['2/1', '1/1'] },
};

test.each(Object.entries(cases))('waves: %s', (_, { placements, parallel = 1, want }) => {
  const given = placements.map(at);
  for (const order of [given, given.toReversed()]) {
    const waves = wavesOf(
      order,
      ['a', 'b'].map((id) => ({ id, parallel })),
    );
    expect(given.map((placement) => Object.values(waves.get(placement)!).join('/'))).toEqual(want);
  }
});
