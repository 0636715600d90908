import { loadManifests } from '../../src/manifest/load-manifests';

const LABELS = `
    modelplane.ai/deployment: llama
    modelplane.ai/cluster: us-east
    modelplane.ai/replica-index: "0"`;

const owner = (kind: string): string => `
  ownerReferences:
    - { apiVersion: modelplane.ai/v1alpha1, kind: ${kind}, name: llama, uid: a, controller: true }`;

/** An endpoint as an export has it, with lines of its metadata. */
function endpoint(metadata: string, group = 'modelplane.ai'): string {
  return `apiVersion: ${group}/v1alpha1
kind: ModelEndpoint
metadata:
  name: llama-1b2c3
  namespace: ml-team${metadata}
spec: { url: "http://10.0.0.7/ml-team/llama-1b2c3/v1", rewritePath: /ml-team/llama-1b2c3/ }
`;
}

function loaded(text: string): unknown {
  const { resources, ignored, problems } = loadManifests([{ path: 'a.yaml', text }]);
  return { problems, resources: resources.length, ignored };
}

const left = [{ what: 'modelplane.ai/v1alpha1 ModelEndpoint of a replica', count: 1 }];

describe('an endpoint of an export', () => {
  const cases: Record<string, { text: string; ignored: unknown[] }> = {
    'is left alone where a deployment owns it': { text: endpoint(owner('ModelDeployment')), ignored: left },
    'is left alone where the export lost its owner': {
      text: endpoint(`\n  labels:${LABELS}`),
      ignored: left,
    },
    'is left alone where its metadata is an alias': {
      text: `apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: &meta
    name: llama
    labels:${LABELS.replaceAll('\n', '\n  ')}
- apiVersion: modelplane.ai/v1alpha1
  kind: ModelEndpoint
  metadata: *meta
  spec: { url: "http://10.0.0.7/v1" }
`,
      ignored: [left[0], { what: 'v1 ConfigMap', count: 1, first: 'a.yaml:4:3' }],
    },
    'is a declaration with some of those labels': {
      text: endpoint('\n  labels: { modelplane.ai/deployment: llama, modelplane.ai/cluster: us-east }'),
      ignored: [],
    },
    'is a declaration where something else owns it': { text: endpoint(owner('Application')), ignored: [] },
    'is a declaration under our group, whoever owns it': {
      text: endpoint(owner('ModelDeployment'), 'fleetwright.dev'),
      ignored: [],
    },
    'is a declaration without metadata of that kind': { text: endpoint(''), ignored: [] },
  };
  test.each(Object.entries(cases))('%s', (_, { text, ignored }) => {
    const declared = ignored.length === 0 ? 1 : 0;
    expect(loaded(text)).toEqual({ problems: [], resources: declared, ignored });
  });

  test('of another kind is a declaration, whatever its labels', () => {
    const text = endpoint(owner('ModelDeployment'))
      .replace('kind: ModelEndpoint', 'kind: ModelService')
      .replace(/spec: .*/, 'spec: { endpoints: [{ selector: { matchLabels: { a: b } } }] }');
    expect(loaded(text)).toEqual({ problems: [], resources: 1, ignored: [] });
  });
});
