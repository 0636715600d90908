import { assemble } from '../../../src/fleet/fleet';
import { listRequiredPermissions } from '../../../src/live/doctor/permission-checks';
import { aClass, aCluster, aDeployment, anEngine, type Doc } from '../../api/build';
import { amiss } from './build';

const withGangs = (kubernetesVersion: string): Parameters<typeof amiss>[0] => {
  const cluster = { source: 'Existing', existing: { secretRef: { name: 'x' }, kubernetesVersion } };
  return { declared: { cluster: { cluster, scheduler: { gangs: true } } } };
};
const levels = { topology: { levels: ['example.com/rack'] } };
const onKai = { declared: { pool: levels, cluster: { scheduler: { type: 'KAI', queue: 'q' } } } };

const cases: Record<string, { of: Parameters<typeof amiss>[0]; want: unknown[] }> = {
  'the API of gangs is served in the version of the cluster': {
    of: { ...withGangs('1.36'), unserved: ['v1beta1 PodGroup'] },
    want: [],
  },
  'the API of gangs is off': {
    of: { ...withGangs('1.36'), unserved: ['v1alpha2 PodGroup'] },
    want: [
      'warning kube-scheduler-gangs: scheduling.k8s.io/v1alpha2 is not served, and no declaration needs it yet. Upgrade Kubernetes, or enable the API',
    ],
  },
  'KAI knows no topologies': {
    of: { ...onKai, unserved: ['Topology'] },
    want: [expect.stringMatching(/^warning queues: kai\.scheduler\/v1alpha1 is not served, and no declaration/)],
  },
  'topologies of KAI are not needed': { of: { unserved: ['Topology', 'PodGroup'] }, want: [] },
};

test.each(Object.entries(cases))('the doctor looks at gangs: %s', (_, { of, want }) => {
  expect(amiss(of).filter((line) => /gangs|kai\.scheduler/.test(line))).toEqual(want);
});

const H100 = aClass('h100');
const GANG = aDeployment('ml/r1', { engines: [anEngine('main', { workers: 1 })] });

function permissionsOn(pool: Doc, more: Doc): string[] {
  const cluster = aCluster('eu', { pools: { h100: { nodeCount: 4, ...pool } }, ...more });
  const wanted = listRequiredPermissions({ cluster, fleet: assemble([H100, cluster, GANG]) });
  return wanted.flatMap(({ verb, group, resource, namespaces = ['-'] }) =>
    verb === 'create' && /topologies|podgroups/.test(resource) ? [`${group} ${resource} ${namespaces.join()}`] : [],
  );
}

test('what keeps gangs together needs permissions', () => {
  const existing = { secretRef: { name: 'x' }, kubernetesVersion: '1.37' };
  expect(permissionsOn(levels, { scheduler: { type: 'KAI', queue: 'q' } })).toEqual(['kai.scheduler topologies -']);
  expect(permissionsOn({}, { cluster: { source: 'Existing', existing }, scheduler: { gangs: true } })).toEqual([
    'scheduling.k8s.io podgroups ml',
  ]);
  expect(permissionsOn({}, {})).toEqual([]);
});
