import { formatDiagnostic } from '../../src/base/diagnostic';
import { loadManifests } from '../../src/manifest/load-manifests';

const ENGINES = '{ replicas: 1, template: { spec: { engines: [{ name: main }] } } }';

const rows: Record<string, { header: string; spec: string; want: string | undefined }> = {
  'a deployment of Kubernetes with engines is meant as a ModelDeployment': {
    header: 'apiVersion: apps/v1\nkind: Deployment',
    spec: ENGINES,
    want: "a.yaml:1:1: apps/v1 Deployment is ignored, and its spec has the fields of the kind ModelDeployment. Set 'apiVersion: fleetwright.dev/v1alpha1' and 'kind: ModelDeployment'.",
  },
  'a kind of Fleetwright in the group of another project is meant as one': {
    header: 'apiVersion: example.com/v1\nkind: InferenceCluster',
    spec: '{ nodePools: [{ name: a, className: h100 }] }',
    want: "a.yaml:1:1: example.com/v1 InferenceCluster is ignored, and its spec has the fields of the kind InferenceCluster. Set 'apiVersion: fleetwright.dev/v1alpha1' and 'kind: InferenceCluster'.",
  },
  'a deployment of Kubernetes with containers is not': {
    header: 'apiVersion: apps/v1\nkind: Deployment',
    spec: '{ replicas: 1, template: { spec: { containers: [{ name: main }] } } }',
    want: undefined,
  },
  'an object that a controller of modelplane.ai makes is not': {
    header: 'apiVersion: modelplane.ai/v1alpha1\nkind: ModelReplica',
    spec: ENGINES,
    want: undefined,
  },
  'a claim for devices is not a class': {
    header: 'apiVersion: resource.k8s.io/v1\nkind: ResourceClaim',
    spec: '{ devices: { requests: [{ name: gpu, exactly: { deviceClassName: gpu.nvidia.com } }] } }',
    want: undefined,
  },
};

test.each(Object.entries(rows))('%s', (_, { header, spec, want }) => {
  const text = `${header}\nmetadata: { name: x }\nspec: ${spec}\n`;
  const { foreignDocuments = [], problems } = loadManifests([{ path: 'a.yaml', text }]);
  expect(problems).toEqual([]);
  expect(foreignDocuments.map(formatDiagnostic)).toEqual(want === undefined ? [] : [want]);
});
