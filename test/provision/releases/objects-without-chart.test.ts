import { servingObjects } from '../../../src/provision/releases/objects-without-chart';
import { aCluster, type Doc } from '../../api/build';

const inferenceCrds = { install: true };
const aiGateway = { install: true };

const cases: Record<string, { servingStack: Doc; want: string[] }> = {
  'a cluster has none': { servingStack: {}, want: [] },
  'the AI gateway alone needs none': { servingStack: { aiGateway }, want: [] },
  'a definition is installed only where the cluster says so': {
    servingStack: { aiGateway, inferenceCrds: {} },
    want: [],
  },
  'the definition stands alone where nothing reads pools': {
    servingStack: { inferenceCrds, envoyGateway: { install: true } },
    want: ['CustomResourceDefinition'],
  },
  'where the AI gateway makes Envoy Gateway read pools, it may': {
    servingStack: { aiGateway, inferenceCrds },
    want: ['CustomResourceDefinition', 'ClusterRole', 'ClusterRoleBinding'],
  },
};

/** The objects next to the releases of a cluster. */
function objects(servingStack: Doc) {
  return servingObjects(aCluster('lab', { servingStack }));
}

describe('the objects of a serving stack', () => {
  test.each(Object.entries(cases))('%s', (_, { servingStack, want }) => {
    expect(objects(servingStack).map(({ kind }) => kind)).toEqual(want);
  });

  test('let Envoy Gateway read pools, and nothing else', () => {
    const [, role, binding] = objects({ aiGateway, inferenceCrds });
    expect(role).toMatchObject({
      rules: [
        {
          apiGroups: ['inference.networking.k8s.io'],
          resources: ['inferencepools'],
          verbs: ['get', 'list', 'watch'],
        },
      ],
    });
    expect(binding).toMatchObject({
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role?.metadata.name },
      subjects: [{ kind: 'ServiceAccount', name: 'envoy-gateway', namespace: 'fleetwright-system' }],
    });
  });

  test('say whose they are', () => {
    for (const { metadata } of objects({ aiGateway, inferenceCrds })) {
      expect(metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'fleetwright' });
    }
  });
});
