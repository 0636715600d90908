import { locateAll } from '../../../src/api/kinds';
import { formatDiagnostic } from '../../../src/base/diagnostic';
import { assemble } from '../../../src/fleet/fleet';
import { findStackWarnings } from '../../../src/plan/warnings/cluster-warnings';
import { aCluster, byPath } from '../../api/build';

describe('the serving stack that a cluster of the alias group names', () => {
  const cases: Record<string, { stack?: string; want: string[] }> = {
    'is Standard where it names none': { want: [] },
    'may be Standard': { stack: 'Standard', want: [] },
    'is warned of where it is Dynamo, with what is missing then': {
      stack: 'Dynamo',
      want: [
        "InferenceCluster us spec.stack: the stack Dynamo is not available: LeaderWorkerSets run gangs, without Grove and ModelExpress. Set 'stack: Standard', and remove GROVE_* variables and '--load-format modelexpress' from engines.",
      ],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { stack, want }) => {
    const fleet = assemble([aCluster('us', { group: 'modelplane.ai', ...(stack && { stack }) })]);
    expect(locateAll(findStackWarnings(fleet), byPath).map(formatDiagnostic)).toEqual(want);
  });
});
