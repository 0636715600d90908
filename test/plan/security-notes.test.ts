import { assemble } from '../../src/fleet/fleet';
import { collectFleetNotes, describePrivilegedDeployments, explainSecurityLevel } from '../../src/plan/notes';
import { assessPodSecurity } from '../../src/render/pod/pod-security-standards';
import { native } from '../../src/render/native';
import type { Renderer } from '../../src/render/renderer';
import { createRendererSelector } from '../../src/render/renderers';
import { writeTerminal } from '../../src/report/document/write-terminal';
import { formatSecurityLevel } from '../../src/report/explain/deployment-explanation';
import { aDeployment, aMember, type Doc, parsed } from '../api/build';
import { aReplica, withContainer } from '../render/build';

function podOf(spec: Doc): ReturnType<typeof aDeployment> {
  const template = { spec: { containers: [{ name: 'engine', image: 'a:1' }], ...spec } };
  return aDeployment('ml/q', { engines: [{ name: 'main', members: [aMember({ template })] }] });
}

const rights = (context: Doc) => withContainer({ securityContext: context });
const note = (id: string, reason: string): string[] => [
  `ModelDeployment ml/${id} needs the Pod Security level privileged in namespace ml: ${reason}.`,
];

describe('the plan notes keys of a gateway that open no service', () => {
  const KEYS = { apiKeys: [{ name: 'ops', secretRef: { name: 'keys' } }] };
  const rows: Record<string, { gateway?: Doc; auths: (Doc | 'None' | undefined)[]; notes: string[] }> = {
    'where each service has authentication of its own': {
      auths: [KEYS, 'None'],
      notes: ["The API keys of InferenceGateway door open no service: each service has its own 'auth'."],
    },
    'not where one takes them': { auths: [KEYS, undefined], notes: [] },
    'not of a gateway without keys': { gateway: {}, auths: [KEYS], notes: [] },
    'not where nothing is served yet': { auths: [], notes: [] },
  };
  test.each(Object.entries(rows))('%s', (_, { gateway = { auth: KEYS }, auths, notes }) => {
    const fleet = assemble([
      parsed('InferenceGateway', 'door', { clusters: ['us'], ...gateway }),
      ...auths.map((auth, i) =>
        parsed('ModelService', `ml/s${i}`, { endpoints: [{ selector: { matchLabels: {} } }], ...(auth && { auth }) }),
      ),
    ]);
    const found = collectFleetNotes(fleet, [], [], createRendererSelector([]));
    expect(found.filter((one) => one.includes('API keys'))).toEqual(notes);
  });
});

const key = (name: string, secret = 'keys'): Doc => ({ name, secretRef: { name: secret } });

describe('the plan notes entries of a Secret that open more than what names them', () => {
  const rows: Record<string, { services: Record<string, Doc[]>; notes: string[] }> = {
    'where two services name different entries': {
      services: { 'ml/chat': [key('app')], 'ml/moe': [key('app'), key('ops')] },
      notes: [
        'Every entry of Secret ml/keys is a key: ModelService ml/chat also accepts ops. To keep clients apart, use a Secret for each.',
      ],
    },
    'not where both name the same entries': { services: { 'ml/a': [key('app')], 'ml/b': [key('app')] }, notes: [] },
    'not where each has a Secret of its own': {
      services: { 'ml/a': [key('app')], 'ml/b': [key('ops', 'other')] },
      notes: [],
    },
    'not where two namespaces have Secrets of one name': {
      services: { 'ml/a': [key('app')], 'web/b': [key('ops')] },
      notes: [],
    },
  };
  test.each(Object.entries(rows))('%s', (_, { services, notes }) => {
    const fleet = assemble(
      Object.entries(services).map(([name, apiKeys]) =>
        parsed('ModelService', name, { endpoints: [{ selector: { matchLabels: {} } }], auth: { apiKeys } }),
      ),
    );
    const found = collectFleetNotes(fleet, [], [], createRendererSelector([]));
    expect(found.filter((one) => one.includes('Every entry'))).toEqual(notes);
  });
});

describe('the plan reports a deployment that needs every right', () => {
  const cases: Record<string, { of: ReturnType<typeof aDeployment>; want: string[] }> = {
    'not where nothing is asked for': { of: withContainer({}), want: [] },
    'not for a usual capability': { of: rights({ capabilities: { add: ['NET_BIND_SERVICE'] } }), want: [] },
    'because it pins memory for RDMA': {
      of: rights({ capabilities: { add: ['IPC_LOCK'] } }),
      want: note('qwen3', 'it adds the capability IPC_LOCK'),
    },
    'because it is privileged': {
      of: rights({ privileged: true }),
      want: note('qwen3', 'it is privileged in container engine'),
    },
    'because it makes any system call': {
      of: rights({ seccompProfile: { type: 'Unconfined' } }),
      want: note('qwen3', 'it may make all system calls in engine'),
    },
    'because all of its containers do': {
      of: podOf({ securityContext: { seccompProfile: { type: 'Unconfined' } } }),
      want: note('q', 'it may make all system calls in all containers'),
    },
    'because it mounts a path of its node': {
      of: podOf({ volumes: [{ name: 'host', hostPath: { path: '/dev' } }] }),
      want: note('q', 'it mounts a path of its node as host'),
    },
    'because an init container does': {
      of: podOf({ initContainers: [{ name: 'a', image: 'a:1', securityContext: { privileged: true } }] }),
      want: note('q', 'it is privileged in container a'),
    },
  };
  test.each(Object.entries(cases))('%s', (_, { of, want }) => {
    expect(
      describePrivilegedDeployments([aReplica(of), aReplica(of, { index: 1 })], createRendererSelector([])),
    ).toEqual(want);
  });

  test('because another renderer gives it every right', () => {
    const house: Renderer = {
      ...native,
      name: 'house',
      render: () => [
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'a', namespace: 'ml', labels: {} },
          spec: { hostNetwork: true, containers: [{ name: 'a' }] },
        },
      ],
    };
    expect(describePrivilegedDeployments([aReplica(withContainer({}))], createRendererSelector([house]))).toEqual(
      note('qwen3', 'it shares with its node hostNetwork'),
    );
  });
});

function level(of: ReturnType<typeof aDeployment>): string {
  return writeTerminal(formatSecurityLevel(assessPodSecurity(native.render(aReplica(of)))));
}

describe('the level of a deployment, for a person', () => {
  test('has no reason where there is none stricter', () => {
    expect(level(rights({ runAsNonRoot: true }))).toBe('  Pod Security level restricted');
  });

  test('has a line for each reason, the same one once', () => {
    expect(level(rights({ capabilities: { drop: ['NET_RAW'] } }))).toBe(
      '  Pod Security level baseline: it does not forbid root in container engine\n    it does not drop all capabilities in container engine',
    );
  });
});

test.each([
  [
    'of a deployment there that needs it',
    {},
    'ml/qwen3 is privileged in container engine; nothing else of the fleet runs in the namespace',
  ],
  ['of none that needs another level', { level: 'baseline' }, undefined],
  ['of none in another namespace', { namespace: 'search' }, undefined],
  ['of none on another cluster', { cluster: 'eu' }, undefined],
])('the level of a namespace has the reason %s', (_, change, want) => {
  const replica = aReplica(rights({ privileged: true }));
  const place = { cluster: replica.cluster.metadata.name, namespace: 'ml', level: 'privileged', ...change };
  expect(explainSecurityLevel([replica], createRendererSelector([]), place)).toBe(want);
});

test('the reason of a namespace with other deployments does not say that one is alone', () => {
  const others = [rights({ privileged: true }), { ...rights({}), metadata: { name: 'b', namespace: 'ml' } }];
  const [first, second] = others.map((one) => aReplica(one as ReturnType<typeof aDeployment>));
  if (!first || !second) throw new Error('bug: two replicas are expected');
  const place = { cluster: first.cluster.metadata.name, namespace: 'ml', level: 'privileged' };
  expect(explainSecurityLevel([first, second], createRendererSelector([]), place)).toBe(
    'ml/qwen3 is privileged in container engine',
  );
});

test('the reason of a namespace names what keeps it restricted, where only root is allowed', () => {
  const replica = aReplica(rights({}));
  const place = { cluster: replica.cluster.metadata.name, namespace: 'ml', level: 'baseline' };
  expect(explainSecurityLevel([replica], createRendererSelector([]), place)).toBe(
    "ml/qwen3 does not forbid root in container engine; if its image needs no root, 'securityContext: { runAsNonRoot: true }' there keeps restricted; nothing else of the fleet runs in the namespace",
  );
});
