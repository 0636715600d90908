import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import type { CloudChange } from '../../../src/diff/cloud-changes';
import { diff, state } from '../../diff/build';

const storage = (cluster: string): CloudChange => ({
  cluster,
  kind: 'StorageClass',
  name: 'shared',
  action: 'replace',
  fields: [],
  causes: [],
});
const changed = (field: string): CloudChange => ({
  cluster: 'us',
  kind: 'NodePool',
  name: 'h100',
  action: 'change',
  fields: [{ field, path: [field], after: 'a' }],
  causes: [],
});

function headline(...cloud: CloudChange[]): string | undefined {
  const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [] };
  const { plan } = state('here', []).decision;
  return formatPullRequestComment({ ...diff([], []), cloud }, plan, context).split('\n')[2];
}

test('names what a cloud replaces besides clusters and pools', () => {
  expect(headline(storage('eu'), storage('us'))).toContain('Recreates the StorageClass `shared` on `eu` and `us`');
});

test('says of resources of which only labels change that no node restarts', () => {
  expect(headline(changed('nodeConfig.resourceLabels.fleet'), changed('machine'))).toContain(
    'Labels 1 cloud resource, which restarts no node',
  );
});
