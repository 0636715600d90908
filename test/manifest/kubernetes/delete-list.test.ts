import { updateDeleteList } from '../../../src/manifest/kubernetes/delete-list';
import { formatDocuments } from '../../../src/manifest/format-yaml';
import { NEVER_PRUNED } from '../../../src/manifest/kubernetes/labels-and-annotations';

const object = (
  kind: string,
  name: string,
  { apiVersion = 'v1', namespace = 'ml', ...more }: Record<string, unknown> = {},
) => ({
  apiVersion,
  kind,
  metadata: { name, namespace, labels: { app: 'x', name: 'label' }, ...more },
  spec: { template: { metadata: { name: 'inner' } }, name: 'spec' },
});

const file = (...objects: object[]): string => formatDocuments(objects, 'Written by fleetwright synth for cluster us.');

const DEPLOYMENT = object('Deployment', 'q-0', { apiVersion: 'apps/v1' });
const SERVICE = object('Service', 'q');
const ROUTE = object('HTTPRoute', 'chat', { apiVersion: 'gateway.networking.k8s.io/v1' });

const LISTED = `# Objects that fleetwright synth wrote for cluster us earlier, and no longer writes. Delete them with 'kubectl delete --ignore-not-found -f 00-delete.yaml.txt', then delete this file.
apiVersion: apps/v1
kind: Deployment
metadata:
  namespace: ml
  name: q-0
`;

const cases: Record<string, { before: string[]; after?: string[]; want: string[] }> = {
  'an object that is written no more': { before: [file(DEPLOYMENT, SERVICE)], after: [file(SERVICE)], want: ['q-0'] },
  'an object that moves to another file stays': {
    before: [file(DEPLOYMENT)],
    after: [file(SERVICE, DEPLOYMENT)],
    want: [],
  },
  'an object of another version of its API is the same': {
    before: [file({ ...ROUTE, apiVersion: 'gateway.networking.k8s.io/v1beta1' })],
    after: [file(ROUTE)],
    want: [],
  },
  'one of another group, kind or namespace is another': {
    before: [file(SERVICE)],
    after: [
      file(
        { ...SERVICE, apiVersion: 'serving.knative.dev/v1' },
        { ...SERVICE, kind: 'Job' },
        object('Service', 'q', { namespace: 'b' }),
      ),
    ],
    want: ['q'],
  },
  'routes go before the workloads and Services behind them': {
    before: [file(SERVICE, DEPLOYMENT, ROUTE)],
    want: ['chat', 'q-0', 'q'],
  },
  'an earlier entry stays': { before: [LISTED], after: [file(SERVICE)], want: ['q-0'] },
  'an earlier entry goes when its object is written again': { before: [LISTED], after: [file(DEPLOYMENT)], want: [] },
  'what no tool may prune is never deleted': {
    before: [file(object('Namespace', 'ml', { namespace: undefined, annotations: { ...NEVER_PRUNED, x: 'y' } }))],
    want: [],
  },
  'names that YAML would read as something else are names': {
    before: [file(object('Service', '1'), object('Service', 'true'))],
    want: ['true', '1'],
  },
  'texts that look like objects are none': {
    before: [
      file({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'c', namespace: 'ml' },
        data: { x: 'a\n---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n' },
      }),
    ],
    want: ['c'],
  },
  'a file that is no manifest has none': { before: ['{}', 'hello', 'kind: x\n'], want: [] },
};

test.each(Object.entries(cases))('%s', (_, { before, after = [], want }) => {
  const list = updateDeleteList({ cluster: 'us', before, after });
  expect([...(list?.text ?? '').matchAll(/^ {2}name: "?([^"\n]*)"?$/gm)].map(([, name]) => name)).toEqual(want);
  expect(list?.objects ?? 0).toBe(want.length);
});

test('the list is what kubectl delete takes, whatever the order of files', () => {
  const [a, b] = [file(DEPLOYMENT), file(SERVICE)];
  const both = (before: string[]) => updateDeleteList({ cluster: 'us', before, after: [file(SERVICE)] })?.text;
  expect(both([a, b])).toBe(LISTED);
  expect(both([b, LISTED, a])).toBe(LISTED);
});
