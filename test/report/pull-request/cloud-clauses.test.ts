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
    'Recreates the Router `shared` on `us` (its parameters.labels changes with `Fleet main`). ',
  );
});

test('says of a StorageClass with other labels, which is created again, that nothing restarts', () => {
  expect(headline(replaced('StorageClass', 'eu'), replaced('StorageClass', 'us'))).toContain(
    'Relabels 2 cloud resources (restarts nothing). ',
  );
});

test('says of resources of which only labels change that no node restarts', () => {
  expect(headline(changed('nodeConfig.resourceLabels.fleet'), changed('machine'))).toContain(
    'Relabels 1 cloud resource (restarts nothing)',
  );
});
