import { shortenNames } from '../../../../src/report/map/page/display-text';

const cases: Record<string, { names: string[]; want: string[] }> = {
  'words that all begin with are left out': { names: ['prod-eu-1', 'prod-us-1'], want: ['eu-1', 'us-1'] },
  'words stay whole': { names: ['prod-node10', 'prod-node11'], want: ['node10', 'node11'] },
  'a single name stays': { names: ['prod-eu-1'], want: ['prod-eu-1'] },
  'names without a common word stay': { names: ['eu', 'us', 'eu-2'], want: ['eu', 'us', 'eu-2'] },
  'a name that begins the others keeps its last word': { names: ['prod-eu', 'prod-eu-2'], want: ['eu', 'eu-2'] },
};

test.each(Object.entries(cases))('shortened names: %s', (_, { names, want }) => {
  expect(shortenNames(names)).toEqual(want);
});
