import { aService } from './build';
import { fullDocument } from './documents';
import { type BadRow, changed, told } from './rows';

const bad: Record<string, BadRow> = {
  'a service has at most 256 entries': {
    change: { 'spec.endpoints': Array.from({ length: 257 }, () => ({ selector: { matchLabels: {} } })) },
    want: ['spec.endpoints: a list of 257 items is above the maximum of 256.'],
  },
  'a service has endpoints': {
    change: { 'spec.endpoints': [] },
    want: ['spec.endpoints: a list of 0 items is below the minimum of 1.'],
  },
  'a weight is at least 1': {
    change: { 'spec.endpoints.0.weight': 0 },
    want: ['spec.endpoints.0.weight: 0 is below the minimum of 1.'],
  },
  'a weight is at most 1000000': {
    change: { 'spec.endpoints.0.weight': 1000001 },
    want: ['spec.endpoints.0.weight: 1000001 is above the maximum of 1000000.'],
  },
  'an entry selects by labels': {
    change: { 'spec.endpoints.0.selector': {} },
    want: ["spec.endpoints.0.selector.matchLabels: the field 'matchLabels' is missing."],
  },
};

describe('ModelService', () => {
  test.each(Object.entries(bad))('%s', (_, { change, want }) => {
    expect(told(changed(fullDocument('ModelService'), change))).toEqual(want);
  });

  test('an entry weighs 1 unless told otherwise', () => {
    const selector = { matchLabels: { model: 'qwen3' } };
    expect(aService('chat', { model: 'qwen3' }).spec).toEqual({ endpoints: [{ weight: 1, selector }] });
  });
});
