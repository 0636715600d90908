import { planApplySteps } from '../../../src/manifest/kubernetes/apply-order';
import type { Manifest } from '../../../src/manifest/kubernetes/manifest';
import { anObject } from '../../stacks/build';

const pod = (spec: object) => ({ spec: { template: { spec } } });

const podOf = (labels: object) => ({ spec: { template: { metadata: { labels } } } });

const to = (kind: string, name: string, namespace?: string) => ({
  group: 'x',
  kind,
  name,
  ...(namespace !== undefined && { namespace }),
});

const cases: Record<string, { objects: Manifest[]; want: Record<string, string[]> }> = {
  'an object comes after its namespace': {
    objects: [anObject('Service', 'ml/q'), anObject('Namespace', 'ml'), anObject('Namespace', 'other')],
    want: { 'Namespace.ml': [], 'Namespace.other': [], 'Service.ml.q': ['Namespace.ml'] },
  },
  'what is in a namespace that another owner makes waits for none': {
    objects: [anObject('Service', 'ml/q')],
    want: { 'Service.ml.q': [] },
  },
  'a workload comes after the claim templates that its pods name, and no others': {
    objects: [
      anObject('Deployment', 'ml/q', pod({ resourceClaims: [{ resourceClaimTemplateName: 'q-1' }] })),
      anObject('ResourceClaimTemplate', 'ml/q-1'),
      anObject('ResourceClaimTemplate', 'ml/q-2'),
      anObject('ResourceClaimTemplate', 'search/q-1'),
    ],
    want: {
      'ResourceClaimTemplate.ml.q-1': [],
      'ResourceClaimTemplate.ml.q-2': [],
      'ResourceClaimTemplate.search.q-1': [],
      'Deployment.ml.q': ['ResourceClaimTemplate.ml.q-1'],
    },
  },
  'a workload comes after volumes, accounts and settings that its pods name': {
    objects: [
      anObject(
        'Deployment',
        'ml/q',
        pod({
          serviceAccountName: 'a',
          volumes: [
            { persistentVolumeClaim: { claimName: 'weights' } },
            { configMap: { name: 'c' } },
            { secret: { secretName: 's' } },
          ],
          containers: [{ envFrom: [{ secretRef: { name: 't' } }] }],
        }),
      ),
      anObject('ConfigMap', 'ml/c'),
      anObject('PersistentVolumeClaim', 'ml/weights'),
      anObject('Secret', 'ml/s'),
      anObject('Secret', 'ml/t'),
      anObject('ServiceAccount', 'ml/a'),
    ],
    want: {
      'ConfigMap.ml.c': [],
      'PersistentVolumeClaim.ml.weights': [],
      'Secret.ml.s': [],
      'Secret.ml.t': [],
      'ServiceAccount.ml.a': [],
      'Deployment.ml.q': [
        'ConfigMap.ml.c',
        'PersistentVolumeClaim.ml.weights',
        'Secret.ml.s',
        'Secret.ml.t',
        'ServiceAccount.ml.a',
      ],
    },
  },
  'a route comes after the policies that guard it, what it refers to, its Gateway after the class, and none after those of others':
    {
      objects: [
        anObject('HTTPRoute', 'ml/chat', {
          spec: {
            parentRefs: [to('Gateway', 'edge', 'system')],
            rules: [{ backendRefs: [to('Backend', 'a')] }],
          },
        }),
        anObject('Backend', 'ml/a'),
        anObject('Gateway', 'system/edge', { spec: { gatewayClassName: 'ours' } }),
        anObject('Gateway', 'system/front', { spec: { gatewayClassName: 'theirs' } }),
        anObject('GatewayClass', 'ours'),
        anObject('ClientTrafficPolicy', 'system/edge', { spec: { targetRefs: [to('Gateway', 'edge')] } }),
        anObject('SecurityPolicy', 'ml/chat', { spec: { targetRefs: [to('HTTPRoute', 'chat')] } }),
        anObject('SecurityPolicy', 'ml/other', { spec: { targetRefs: [to('HTTPRoute', 'other')] } }),
        anObject('SecurityPolicy', 'search/chat', { spec: { targetRefs: [to('HTTPRoute', 'chat')] } }),
      ],
      want: {
        'Backend.ml.a': [],
        'ClientTrafficPolicy.system.edge': [],
        'GatewayClass.ours': [],
        'SecurityPolicy.ml.chat': [],
        'SecurityPolicy.ml.other': [],
        'SecurityPolicy.search.chat': [],
        'Gateway.system.edge': ['ClientTrafficPolicy.system.edge', 'GatewayClass.ours'],
        'Gateway.system.front': [],
        'HTTPRoute.ml.chat': ['Backend.ml.a', 'Gateway.system.edge', 'SecurityPolicy.ml.chat'],
      },
    },
  'a route comes after the workloads behind its Services, so that it is deleted before them': {
    objects: [
      anObject('HTTPRoute', 'system/chat', {
        spec: {
          rules: [{ backendRefs: [to('Service', 'q', 'ml')] }, { backendRefs: [to('Service', 'all', 'ml')] }],
        },
      }),
      anObject('HTTPRoute', 'ml/front', { spec: { rules: [{ backendRefs: [to('Backend', 'q')] }] } }),
      anObject('Service', 'ml/q', { spec: { selector: { app: 'q', serving: 'true' } } }),
      anObject('Service', 'ml/all', { spec: {} }),
      anObject('Deployment', 'ml/q-0', podOf({ app: 'q', serving: 'true', more: 'a' })),
      anObject('Deployment', 'ml/other', podOf({ app: 'q' })),
      anObject('Deployment', 'search/q-0', podOf({ app: 'q', serving: 'true' })),
      anObject('LeaderWorkerSet', 'ml/gang', {
        spec: {
          leaderWorkerTemplate: {
            leaderTemplate: { metadata: { labels: { app: 'q', serving: 'true' } } },
            workerTemplate: { metadata: { labels: { app: 'q' } } },
          },
        },
      }),
    ],
    want: {
      'Deployment.ml.other': [],
      'Deployment.ml.q-0': [],
      'Deployment.search.q-0': [],
      'LeaderWorkerSet.ml.gang': [],
      'Service.ml.all': [],
      'Service.ml.q': [],
      'HTTPRoute.ml.front': [],
      'HTTPRoute.system.chat': ['Deployment.ml.q-0', 'LeaderWorkerSet.ml.gang', 'Service.ml.all', 'Service.ml.q'],
    },
  },
  'an object comes after the definition of its kind, whatever the group of another of that name': {
    objects: [
      anObject('LeaderWorkerSet', 'ml/gang'),
      anObject('LeaderWorkerSet', 'ml/other', { apiVersion: 'example.com/v1' }),
      anObject('CustomResourceDefinition', 'lws', {
        spec: { group: 'leaderworkerset.x-k8s.io', names: { kind: 'LeaderWorkerSet' } },
      }),
    ],
    want: {
      'CustomResourceDefinition.lws': [],
      'LeaderWorkerSet.ml.gang': ['CustomResourceDefinition.lws'],
      'LeaderWorkerSet.ml.other': [],
    },
  },
};

test.each(Object.entries(cases))('%s', (_, { objects, want }) => {
  for (const some of [objects, objects.toReversed()]) {
    const steps = planApplySteps(some);
    expect(Object.fromEntries(steps.map(({ id, needs }) => [id, needs]))).toEqual(want);
    expect(steps.map(({ id }) => id)).toEqual(Object.keys(want));
  }
});
