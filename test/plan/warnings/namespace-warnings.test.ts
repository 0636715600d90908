import { locateAll } from '../../../src/api/kinds';
import { formatDiagnostic } from '../../../src/base/diagnostic';
import { assemble } from '../../../src/fleet/fleet';
import { loadManifests } from '../../../src/manifest/load-manifests';
import { findMissingNamespaces } from '../../../src/plan/warnings/namespace-warnings';

const cache = (metadata: string): string => `apiVersion: fleetwright.dev/v1alpha1
kind: ModelCache
metadata: ${metadata}
spec: { source: ExistingPVC, existingPVC: { claimName: x } }
`;

const A = cache('{ name: a, namespace: ml }');
const B = cache('{ name: b, namespace: ml }');
const ELSEWHERE = cache('{ name: c, namespace: search }');
const MISSING = cache('{ name: x }');

const rows: Record<string, { manifests: string[]; want: string[] }> = {
  'a resource without a namespace among others with one': {
    manifests: [MISSING, A, B],
    want: [
      "fleet.yaml:3:19: ModelCache default/x names no namespace, so it is in 'default'. Set 'namespace: ml', as the other resources do, or 'namespace: default' if it belongs there.",
    ],
  },
  'the namespaces of the others are choices': {
    manifests: [A, ELSEWHERE, cache('\n  labels: { a: b }\n  name: x')],
    want: [
      "fleet.yaml:15:9: ModelCache default/x names no namespace, so it is in 'default'. Set 'namespace' to ml or search, as the other resources do, or 'namespace: default' if it belongs there.",
    ],
  },
  'the namespace default may be meant where it is stated': {
    manifests: [A, B, cache('{ name: x, namespace: default }')],
    want: [],
  },
  'it may be meant where another resource states it': {
    manifests: [A, B, ELSEWHERE, MISSING, cache('{ name: y, namespace: default }')],
    want: [],
  },
  'it may be meant where half of the resources have none': { manifests: [A, MISSING], want: [] },
  'no resource has one': { manifests: [MISSING], want: [] },
};

test.each(Object.entries(rows))('%s', (_, { manifests, want }) => {
  const { resources, locate } = loadManifests([{ path: 'fleet.yaml', text: manifests.join('---\n') }]);
  expect(resources).toHaveLength(manifests.length);
  const found = findMissingNamespaces(assemble(resources), locate);
  expect(locateAll(found, locate).map(formatDiagnostic)).toEqual(want);
});
