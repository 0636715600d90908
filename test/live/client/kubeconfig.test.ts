import type { InferenceCluster } from '../../../src/api/inference-cluster';
import { type ClusterAccess, type ContextOptions, resolveClusterAccess } from '../../../src/live/client/cluster-access';
import { parseKubeconfigs } from '../../../src/live/client/kubeconfig';

const FIRST = `
apiVersion: v1
kind: Config
current-context: other
clusters:
  - name: c
    cluster: { server: "https://first:6443", certificate-authority: ca.crt }
users:
  - name: u
    user: { token: SECRET, client-key: /abs/key }
  - name: old
    user: { auth-provider: { name: gcp } }
  - name: plugin
    user: { exec: { apiVersion: v1, command: ./bin/get-token } }
  - name: installed
    user: { exec: { apiVersion: v1, command: aws } }
contexts:
  - { name: us, context: { cluster: c, user: u } }
  - { name: lab, context: { cluster: c, user: plugin } }
  - { name: aws, context: { cluster: c, user: installed } }
  - { name: gone, context: { cluster: nowhere, user: u } }
  - { name: nobody, context: { cluster: c, user: nobody } }
  - { name: old, context: { cluster: c, user: old } }
  - { name: open, context: { cluster: c } }
`;

const SECOND = `
clusters: [{ name: c, cluster: { server: "https://second:6443" } }, { name: d, cluster: { server: "http://d" } }]
users: null
contexts: [{ name: us, context: { cluster: d, user: u } }, { name: second, context: { cluster: d, user: u } }]
`;

const NAMED = { named: {}, ownFile: false };

function access(
  existing: object,
  contexts: Partial<ContextOptions> = {},
  files: Record<string, string> = { '/home/.kube/config': FIRST, '/etc/kube/second': SECOND },
): ClusterAccess {
  const cluster = {
    metadata: { name: 'us' },
    spec: { cluster: { source: 'Existing', existing } },
  } as unknown as InferenceCluster;
  const config = parseKubeconfigs(Object.entries(files).map(([path, text]) => ({ path, text })));
  return resolveClusterAccess(cluster, config, { ...NAMED, ...contexts });
}

const found: Record<string, { existing?: object; contexts?: Partial<ContextOptions>; want: object }> = {
  'the context that the user names comes first': {
    existing: { context: 'lab' },
    contexts: { named: { us: 'second' } },
    want: { context: 'second', server: { server: 'http://d' } },
  },
  'then the one that the cluster declares': {
    existing: { context: 'second' },
    want: { context: 'second' },
  },
  'then the one of its name, never the current one': { want: { context: 'us' } },
  'a context next to a Secret is of the kubeconfig in it, not of the own one': {
    existing: { context: 'lab', secretRef: { name: 's' } },
    want: { context: 'us' },
  },
  'a context next to a Secret counts where the user brings that kubeconfig': {
    existing: { context: 'lab', secretRef: { name: 's' } },
    contexts: { ownFile: true },
    want: { context: 'lab' },
  },
  'of two entries with one name the first counts': {
    want: { server: { server: 'https://first:6443' } },
  },
  'paths are relative to the file that has them': {
    want: {
      server: { 'certificate-authority': '/home/.kube/ca.crt' },
      user: { 'client-key': '/abs/key' },
    },
  },
  'a plugin with a slash is relative to the file': {
    existing: { context: 'lab' },
    want: { user: { exec: { command: '/home/.kube/bin/get-token' } } },
  },
  'a plugin without one is looked up': {
    existing: { context: 'aws' },
    want: { user: { exec: { command: 'aws' } } },
  },
  'a context without a user shows nothing': { existing: { context: 'open' }, want: { user: {} } },
};

test.each(Object.entries(found))('%s', (_, { existing = {}, contexts, want }) => {
  expect(access(existing, contexts)).toMatchObject(want);
});

const refused: Record<string, { context: string; want: string }> = {
  'a context that is not there': {
    context: 'Lab',
    want: "us: the kubeconfig has no context 'Lab'. Set one with --context: 'lab'?",
  },
  'a cluster that is not there': {
    context: 'gone',
    want: "context gone: the kubeconfig has no cluster 'nowhere'. Compare it with 'kubectl config view'.",
  },
  'a user that is not there': {
    context: 'nobody',
    want: "context nobody: the kubeconfig has no user 'nobody'. Compare it with 'kubectl config view'.",
  },
  'an auth-provider': {
    context: 'old',
    want: "context old: user 'old' has the auth-provider 'gcp', which kubectl no longer supports either. Use a credential plugin (exec).",
  },
};

test.each(Object.entries(refused))('%s is refused', (_, { context, want }) => {
  expect(() => access({ context })).toThrow(want);
});

test('without any kubeconfig there is no context to try', () => {
  expect(() => access({}, {}, {})).toThrow('us: there is no kubeconfig with contexts. Set --kubeconfig or KUBECONFIG.');
});

const broken: Record<string, { text: string; want: string }> = {
  'no YAML': { text: 'users: [ {token: SECRET', want: 'a: this is not YAML' },
  'a list': { text: '- SECRET', want: 'a: this is not a kubeconfig' },
  'a field of another type': {
    text: 'users: [{ name: u, user: { token: [SECRET] } }]',
    want: 'a: this is not a kubeconfig: see users.0.user.token',
  },
};

test.each(Object.entries(broken))('a kubeconfig with %s is refused without quoting it', (_, { text, want }) => {
  const read = (): unknown => parseKubeconfigs([{ path: 'a', text }]);
  expect(read).toThrow(want);
  expect(read).not.toThrow('SECRET');
});

const current: Record<string, { files: string[]; want: string | undefined }> = {
  'the current context of several files is the first that any has': {
    files: [SECOND, FIRST, 'current-context: later'],
    want: 'other',
  },
  'an empty one is none': { files: ['current-context: ""'], want: undefined },
};

test.each(Object.entries(current))('%s', (_, { files, want }) => {
  const read = files.map((text, i) => ({ path: `/${i}`, text }));
  expect(parseKubeconfigs(read).current).toBe(want);
});

const BOMB = ['a: &a [x, x, x, x, x, x, x, x, x]']
  .concat([...'bcdefgh'].map((key, i) => `${key}: &${key} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(', ')}]`))
  .join('\n');

const hostile: Record<string, [text: string, want: string]> = {
  'brackets that are not closed': ['{'.repeat(100_000), 'its values are nested too deep'],
  'aliases of aliases': [BOMB, 'its aliases expand to too many values'],
};

test.each(Object.entries(hostile))('a kubeconfig of %s is refused', (_, [text, want]) => {
  const read = () => parseKubeconfigs([{ path: '/k', text }]);
  expect(read).toThrow(`/k: ${want}. Compare it with 'kubectl config view'.`);
});
