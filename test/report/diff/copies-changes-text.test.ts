import { diffFields } from '../../../src/diff/field-changes';
import { formatCopiesChange, formatCopiesClause } from '../../../src/report/diff/copies-changes-text';
import type { Doc } from '../../api/build';

const COPIES = { min: 1, max: 4 };

/** What is said of an engine whose bounds stay, in a table and in a sentence. */
function textsOf(before: Doc, after: Doc): string[] {
  const scalingFields = diffFields(before, after);
  const change = { engine: 'main', before: COPIES, after: COPIES, scaling: true, scalingFields };
  const accelerators = { before: 4, after: 4 };
  return [
    formatCopiesChange({ deployment: 'ml/a', engines: [change], several: false, accelerators }, '→'),
    formatCopiesClause(change, 'ml/a', ''),
  ];
}

const OTHER = ['other scaling', 'changes when ml/a scales'];
const DOWN = { down: { after: '5m' } };

const cases: Record<string, { before: Doc; after: Doc; want: string[] }> = {
  'one value is said': {
    before: { on: [{ queue: 4 }] },
    after: { on: [{ queue: 8 }] },
    want: ['scaling: queue 4 → 8', 'changes when ml/a scales (queue 4 → 8)'],
  },
  'two values are said': {
    before: { on: [{ running: 4 }, { kvUse: '80%' }], ...DOWN },
    after: { on: [{ running: 4 }, { kvUse: '90%' }], down: { after: '10m' } },
    want: [
      'scaling: kvUse 80% → 90%, down.after 5m → 10m',
      'changes when ml/a scales (kvUse 80% → 90%, down.after 5m → 10m)',
    ],
  },
  'more values are not': {
    before: { on: [{ running: 4 }, { queue: 4 }], ...DOWN },
    after: { on: [{ running: 5 }, { queue: 5 }], down: { after: '10m' } },
    want: OTHER,
  },
  'another signal is no other value': {
    before: { on: [{ queue: 4 }] },
    after: { on: [{ running: 4 }] },
    want: OTHER,
  },
  'a further signal is no other value': {
    before: { on: [{ queue: 4 }] },
    after: { on: [{ queue: 8 }, { running: 4 }] },
    want: OTHER,
  },
};

test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
  expect(textsOf(before, after)).toEqual(want);
});
