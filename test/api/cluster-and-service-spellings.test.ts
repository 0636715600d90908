import { parseResource, type Resource } from '../../src/api/kinds';
import type { Doc } from './build';

const GKE = { region: 'us-central1' };
const cluster = (fields: Doc): Doc => ({
  cluster: { source: 'GKE', gke: GKE },
  nodePools: [{ name: 'a', className: 'h100', nodeCount: 1 }],
  ...fields,
});
const entry = { selector: { matchLabels: { app: 'q' } } };

const cases: Record<string, { kind: Resource['kind']; spec: Doc; want: RegExp }> = {
  'the version of a cluster where its source is not': {
    kind: 'InferenceCluster',
    spec: cluster({ kubernetesVersion: '1.35' }),
    want: /Use 'kubernetesVersion' in the block of spec\.cluster, as in 'cluster: \{ source: GKE, gke: \{ region: us-central1, kubernetesVersion: "1\.35" \} \}'/,
  },
  'the version of a cluster as a cloud calls it': {
    kind: 'InferenceCluster',
    spec: cluster({ cluster: { source: 'GKE', gke: { ...GKE, version: '1.35' } } }),
    want: /'version' is not allowed here\. Use 'kubernetesVersion'/,
  },
  'the project of a cluster': {
    kind: 'InferenceCluster',
    spec: cluster({ cluster: { source: 'GKE', gke: { ...GKE, project: 'acme' } } }),
    want: /'project' is not allowed here\. Remove it: 'pulumi config set gcp:project PROJECT' sets it for the stack/,
  },
  'the class of gateways of a cluster': {
    kind: 'InferenceCluster',
    spec: cluster({ gatewayClassName: 'eg' }),
    want: /'gatewayClassName' is not allowed here\. Remove it: Envoy Gateway serves/,
  },
  'the class of gateways in the gateway of a cluster': {
    kind: 'InferenceCluster',
    spec: cluster({ gateway: { gatewayClassName: 'eg' } }),
    want: /'gatewayClassName' is not allowed here\. Remove it: Envoy Gateway serves/,
  },
  'the path that an entry matches': {
    kind: 'ModelService',
    spec: { endpoints: [{ ...entry, match: { path: '/v1', headers: { a: 'b' } } }] },
    want: /'path' is not allowed here\. Remove it: the path of a service is '\/NAMESPACE\/NAME\/', and engines get what follows\. Only headers choose an entry/,
  },
  'the method that an entry matches': {
    kind: 'ModelService',
    spec: { endpoints: [{ ...entry, match: { method: 'POST', headers: { a: 'b' } } }] },
    want: /'method' is not allowed here\. Remove it: only headers choose an entry/,
  },
  'the path of an entry': {
    kind: 'ModelService',
    spec: { endpoints: [{ ...entry, path: '/v1' }] },
    want: /'path' is not allowed here\. Remove it: the path of a service is/,
  },
  'the headers of an entry': {
    kind: 'ModelService',
    spec: { endpoints: [{ ...entry, headers: { a: 'b' } }] },
    want: /'headers' is not allowed here\. Move it into match, as in 'match: \{ headers: \{ x-canary: always \} \}'/,
  },
};

test.each(Object.entries(cases))('%s is no field there, and what to write is said', (_, { kind, spec, want }) => {
  const metadata = { name: 'q', ...(kind.startsWith('Model') && { namespace: 'ml' }) };
  const parsed = parseResource({ apiVersion: 'fleetwright.dev/v1alpha1', kind, metadata, spec });
  const findings = 'findings' in parsed ? parsed.findings : [];
  expect(findings.map(({ message, hint }) => `${message}. ${hint}`)).toContainEqual(expect.stringMatching(want));
});
