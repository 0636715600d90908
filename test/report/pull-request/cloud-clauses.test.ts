import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import type { CloudChange } from '../../../src/diff/cloud-changes';
import { diff, state } from '../../diff/build';

const replaced = (kind: string, cluster: string): CloudChange => ({
  cluster,
  kind,
  name: 'shared',
  action: 'replace',
  fields: [{ field: 'parameters.labels', path: ['parameters', 'labels'], before: 'a', after: 'b' }],
  causes: [{ id: 'Fleet main', action: 'added', where: 'fleet.yaml:1:1' }],
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

test('names what a cloud replaces besides clusters and pools, and for what', () => {
  expect(headline(replaced('Router', 'us'))).toContain(
    'Recreates the Router `shared` on `us` (its parameters.labels changes with `Fleet main`); ',
  );
});

test('says of a replaced StorageClass that volumes stay', () => {
  expect(headline(replaced('StorageClass', 'eu'), replaced('StorageClass', 'us'))).toContain(
    'Recreates the StorageClass `shared` on `eu` and `us` (its parameters.labels changes with `Fleet main`; it is for new volumes, and those that exist stay); ',
  );
});

test('says of resources of which only labels change that no node restarts', () => {
  expect(headline(changed('nodeConfig.resourceLabels.fleet'), changed('machine'))).toContain(
    'Labels 1 cloud resource, which restarts no node',
  );
});
