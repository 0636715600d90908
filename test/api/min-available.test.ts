import { parseResource } from '../../src/api/kinds';
import { anEngine } from './build';

/** What is wrong with a deployment of so many replicas. */
function findingsOf(replicas: number, minAvailable: number): string[] {
  const template = { spec: { engines: [anEngine('main')] } };
  const read = parseResource({
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'ModelDeployment',
    metadata: { namespace: 'ml', name: 'q' },
    spec: { replicas, minAvailable, template },
  });
  return 'findings' in read ? read.findings.map(({ at: path, message }) => `${path.join('.')}: ${message}`) : [];
}

const cases: Record<string, { replicas: number; minAvailable: number; want: string[] }> = {
  'all replicas may have to serve': { replicas: 2, minAvailable: 2, want: [] },
  'more than are asked for cannot': {
    replicas: 2,
    minAvailable: 3,
    want: ['spec.minAvailable: 2 replicas are fewer than minAvailable: 3'],
  },
  'a deployment that is scaled to none keeps what it says': { replicas: 0, minAvailable: 3, want: [] },
  'none is no number to say': {
    replicas: 2,
    minAvailable: 0,
    want: ['spec.minAvailable: 0 is less than the minimum of 1'],
  },
};

test.each(Object.entries(cases))('%s', (_, { replicas, minAvailable, want }) => {
  expect(findingsOf(replicas, minAvailable)).toEqual(want);
});
