import { amiss, listing } from './build';

const controller = (tag: string) =>
  listing({
    metadata: { name: 'llmisvc-controller-manager', namespace: 'kserve' },
    spec: { template: { spec: { containers: [{ name: 'manager', image: `kserve/llmisvc-controller:${tag}` }] } } },
  });

const declared = (version: string) => ({ cluster: { backend: { type: 'KServe', version } } });

const cases: Record<string, { of: Parameters<typeof amiss>[0]; want: string[] }> = {
  'runs in the declared version': {
    of: { declared: declared('0.20'), lists: { kserve: controller('v0.20.1') } },
    want: [],
  },
  'is older than declared': {
    of: { declared: declared('0.21'), lists: { kserve: controller('v0.20.1') } },
    want: [
      'failure kserve: KServe has version v0.20.1, and spec.backend.version is 0.21: the plan uses fields that it does not have. Set spec.backend.version to the version on the cluster',
    ],
  },
  'is later than declared': {
    of: { declared: declared('0.20'), lists: { kserve: controller('v0.21.0') } },
    want: [
      'warning kserve: KServe has version v0.21.0, and spec.backend.version is 0.20. Set spec.backend.version to the version on the cluster',
    ],
  },
  'has a tag that is no version': {
    of: { declared: declared('0.20'), lists: { kserve: controller('latest') } },
    want: [
      "unknown kserve: the version of KServe cannot be read from its image tag 'latest'. Set spec.backend.version to the version on the cluster",
    ],
  },
  'does not run': {
    of: { declared: declared('0.20') },
    want: ['failure kserve: the controller of KServe does not exist. Install the chart kserve-llmisvc-resources'],
  },
  'has kinds that are not served': {
    of: { declared: declared('0.20'), lists: { kserve: controller('v0.20.0') }, unserved: ['LLMInferenceService'] },
    want: [expect.stringMatching(/^failure kserve: .*LLMInferenceService/)],
  },
  'is installed next': { of: { declared: declared('0.20'), coming: ['kserve'] }, want: [] },
  'is not needed': { of: {}, want: [] },
};

test.each(Object.entries(cases))('the doctor looks at the controller of KServe, which %s', (_, { of, want }) => {
  expect(amiss(of)).toEqual(want);
});

const operator = (tag: string) =>
  listing({
    metadata: { name: 'dynamo-operator', namespace: 'dynamo-system' },
    spec: { template: { spec: { containers: [{ name: 'manager', image: `nvcr.io/kubernetes-operator:${tag}` }] } } },
  });

const onDynamo = (version: string) => ({ cluster: { backend: { type: 'Dynamo', version } } });

const graphs: Record<string, { of: Parameters<typeof amiss>[0]; want: unknown[] }> = {
  'runs in the declared version': {
    of: { declared: onDynamo('1.6'), lists: { dynamo: operator('1.6.0') } },
    want: [],
  },
  'is older than declared': {
    of: { declared: onDynamo('1.6'), lists: { dynamo: operator('1.3.1') } },
    want: [
      'failure dynamo: Dynamo has version 1.3.1, and spec.backend.version is 1.6: the plan uses fields that it does not have. Set spec.backend.version to the version on the cluster',
    ],
  },
  'does not run': {
    of: { declared: onDynamo('1.6') },
    want: ['failure dynamo: the operator of Dynamo does not exist. Install the chart dynamo-platform'],
  },
  'has a kind that is not served': {
    of: { declared: onDynamo('1.6'), lists: { dynamo: operator('1.6.0') }, unserved: ['DynamoGraphDeployment'] },
    want: [expect.stringMatching(/^failure dynamo: nvidia.com.v1beta1 is not served/)],
  },
  'has no Grove, which no gang needs yet': {
    of: { declared: onDynamo('1.6'), lists: { dynamo: operator('1.6.0') }, unserved: ['PodCliqueSet'] },
    want: [expect.stringMatching(/^warning dynamo: grove.io.v1alpha1 is not served, and no declaration needs it yet/)],
  },
  'is installed next': { of: { declared: onDynamo('1.6'), coming: ['dynamo'] }, want: [] },
};

test.each(Object.entries(graphs))('the doctor looks at the operator of Dynamo, which %s', (_, { of, want }) => {
  expect(amiss(of)).toEqual(want);
});
