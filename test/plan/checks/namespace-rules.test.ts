import type { Resource } from '../../../src/api/kinds';
import { formatDiagnostic } from '../../../src/base/diagnostic';
import { assemble } from '../../../src/fleet/fleet';
import { checkFleet, checkPartialFleet } from '../../../src/plan/check-fleet';
import { decide } from '../../../src/plan/decide';
import { permittedRevisions } from '../../../src/plan/checks/namespace-rules';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { recordRevision } from '../../../src/scheduler/previous-revision';
import {
  aCache,
  aClass,
  aCluster,
  aDeployment,
  aGrant,
  aMember,
  anEndpoint,
  aService,
  byPath,
  type Doc,
  parsed,
} from '../../api/build';

/** A deployment whose pods have these fields, and its container these. */
function aPod(spec: Doc = {}, container: Doc = {}): ReturnType<typeof aDeployment> {
  const template = { spec: { containers: [{ name: 'engine', image: 'a:1', ...container }], ...spec } };
  return aDeployment('ml/q', { engines: [{ name: 'main', members: [aMember({ template })] }] });
}

/** The codes and paths of what the checks find about a deployment, under rules of the fleet. */
function found(deployment: ReturnType<typeof aDeployment>, rules: Doc[] = []): string[] {
  const { fleet } = fleetWith(rules, deployment);
  const diagnostics = checkFleet(fleet, byPath).filter(({ code }) => code === 'not-permitted');
  return diagnostics.map(({ at }) => at.replace(/^.*template\.spec\.(?=[^.])/, ''));
}

function fleetWith(rules: Doc[], ...resources: Resource[]) {
  const settings = parsed('Fleet', 'main', { namespaces: rules });
  return { fleet: assemble([settings, ...resources]) };
}

const MEMBER = 'engines.0.members.0.template.spec';

const privileged = aPod({}, { securityContext: { privileged: true } });
const host = aPod({ volumes: [{ name: 'host', hostPath: { path: '/var/run' } }] });
const pinned = aPod({}, { securityContext: { capabilities: { add: ['IPC_LOCK'] } } });
const named = aPod({ serviceAccountName: 'deployer' });
const token = aPod({ serviceAccountName: 'deployer', automountServiceAccountToken: true });
const projected = aPod({
  volumes: [{ name: 'all', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } }],
});
const rootless = aPod({}, { securityContext: { runAsNonRoot: true, runAsUser: 1000 } });
const withSecret = aPod(
  {},
  { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'hub', key: 'k', optional: true } } }] },
);

const rows: Record<string, { pod: ReturnType<typeof aDeployment>; rules?: Doc[]; want: string[] }> = {
  'a plain pod is allowed everywhere': { pod: aPod(), want: [] },
  'a privileged container is refused by default': {
    pod: privileged,
    want: ['containers.0.securityContext.privileged'],
  },
  'a privileged init container is refused too': {
    pod: aPod({ initContainers: [{ name: 'a', image: 'a:1', securityContext: { privileged: true } }] }),
    want: ['initContainers.0.securityContext.privileged'],
  },
  'a privileged container is allowed where a rule says so': {
    pod: privileged,
    rules: [{ match: ['ml'], privileged: true }],
    want: [],
  },
  'a rule for another namespace allows nothing': {
    pod: privileged,
    rules: [{ match: ['mls', 'm'], privileged: true }],
    want: ['containers.0.securityContext.privileged'],
  },
  'a rule can match the beginning of a name': {
    pod: privileged,
    rules: [{ match: ['m*'], privileged: true }],
    want: [],
  },
  'the first rule that matches counts': {
    pod: privileged,
    rules: [{ match: ['ml'] }, { match: ['*'], privileged: true }],
    want: ['containers.0.securityContext.privileged'],
  },
  'a path of the node is refused by default': { pod: host, want: ['volumes.0.hostPath'] },
  'a path of the node is allowed where a rule says so': {
    pod: host,
    rules: [{ match: ['ml'], hostPath: true }],
    want: [],
  },
  'a path of the node is not allowed by privileged': {
    pod: host,
    rules: [{ match: ['ml'], privileged: true, podSecurity: 'Privileged' }],
    want: ['volumes.0.hostPath'],
  },
  'a capability beyond the usual is refused by default': { pod: pinned, want: [MEMBER] },
  'a capability is allowed at a lower level': {
    pod: pinned,
    rules: [{ match: ['ml'], podSecurity: 'Privileged' }],
    want: [],
  },
  'any system call is refused by default': {
    pod: aPod({ securityContext: { seccompProfile: { type: 'Unconfined' } } }),
    want: [MEMBER],
  },
  'root is refused at the level Restricted': {
    pod: aPod(),
    rules: [{ match: ['ml'], podSecurity: 'Restricted' }],
    want: [MEMBER],
  },
  'another user is allowed at the level Restricted': {
    pod: rootless,
    rules: [{ match: ['ml'], podSecurity: 'Restricted' }],
    want: [],
  },
  'a named account without a token is allowed by default, for identities of a cloud': { pod: named, want: [] },
  'a mounted token is refused by default': { pod: token, want: ['automountServiceAccountToken'] },
  'a projected token is refused by default': {
    pod: projected,
    want: ['volumes.0.projected.sources.0.serviceAccountToken'],
  },
  'a mounted token is allowed for an account of the list': {
    pod: token,
    rules: [{ match: ['ml'], serviceAccounts: ['deployer'] }],
    want: [],
  },
  'an account that a list leaves out is refused, with its token': {
    pod: token,
    rules: [{ match: ['ml'], serviceAccounts: ['other'] }],
    want: ['serviceAccountName', 'automountServiceAccountToken'],
  },
  'any Secret is allowed by default': { pod: withSecret, want: [] },
  'a Secret that a list leaves out is refused, an optional one too': {
    pod: withSecret,
    rules: [{ match: ['ml'], secrets: ['ml-*'] }],
    want: ['containers.0.env.0.valueFrom.secretKeyRef.name'],
  },
  'a Secret of the list is allowed': {
    pod: withSecret,
    rules: [{ match: ['ml'], secrets: ['ml-*', 'hub'] }],
    want: [],
  },
};

describe('what resources may use in their namespace', () => {
  test.each(Object.entries(rows))('%s', (_, { pod, rules, want }) => {
    expect(found(pod, rules)).toEqual(want);
  });

  test('is also checked for caches, services and endpoints, and no message quotes the name of a Secret', () => {
    const secretRef = { name: 'theirs' };
    const { fleet } = fleetWith(
      [{ match: ['ml'], secrets: [], serviceAccounts: [] }],
      aCache('ml/w', {
        source: 'S3',
        huggingFace: undefined,
        s3: { uri: 's3://models/a', serviceAccountName: 'reader' },
      }),
      aCache('ml/b', {
        source: 'AzureBlob',
        huggingFace: undefined,
        azureBlob: {
          uri: 'https://acme.blob.core.windows.net/models',
          storageAccountId: '/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/acme',
        },
      }),
      aCache('ml/h', { huggingFace: { repo: 'a/b', authSecret: { name: 'theirs' } } }),
      aCache('ml/i', {
        source: 'OCI',
        huggingFace: undefined,
        sizeGiB: undefined,
        oci: { image: 'a/b', pullSecretRef: { name: 'theirs' } },
      }),
      parsed('ModelService', 'ml/chat', {
        endpoints: [{ selector: { matchLabels: { app: 'a' } } }],
        auth: { apiKeys: [{ name: 'bob', secretRef }] },
      }),
      anEndpoint('ml/saas', { credential: { secretRef } }),
    );
    const all = checkFleet(fleet, byPath).filter(({ code }) => code === 'not-permitted');
    expect(all.map(({ at }) => at)).toEqual([
      'ModelCache ml/b spec.azureBlob.storageAccountId',
      'ModelCache ml/h spec.huggingFace.authSecret.name',
      'ModelCache ml/i spec.oci.pullSecretRef.name',
      'ModelCache ml/w spec.s3.serviceAccountName',
      'ModelService ml/chat spec.auth.apiKeys.0.secretRef.name',
      'ModelEndpoint ml/saas spec.credential.secretRef.name',
    ]);
    expect(all.map(formatDiagnostic).join()).not.toContain('theirs');
  });

  test('is reported with the field that allows it', () => {
    const { fleet } = fleetWith([], host);
    expect(checkFleet(fleet, byPath).map(formatDiagnostic)).toContain(
      "ModelDeployment ml/q spec.template.spec.engines.0.members.0.template.spec.volumes.0.hostPath: volume 'host' mounts a path of its node, which the fleet does not allow in namespace 'ml'. Remove it, or set hostPath: true for that namespace at Fleet.spec.namespaces.",
    );
  });

  test('is checked before anything is decided', () => {
    const resources = [aClass('h100'), aCluster('east')];
    const { fleet } = fleetWith([], ...resources, privileged);
    expect(() => decide(fleet, byPath, EMPTY_LOCK)).toThrow("container 'engine' is privileged");
  });

  test('does not come back with an earlier revision in the lock', () => {
    const revisions = [privileged, aPod()].flatMap((one) => recordRevision(one) ?? []);
    expect(revisions).toHaveLength(2);
    expect(permittedRevisions(fleetWith([]).fleet, revisions)).toEqual(revisions.slice(1));
    const allowed = fleetWith([{ match: ['ml'], privileged: true }]).fleet;
    expect(permittedRevisions(allowed, revisions)).toEqual(revisions);
  });
});

describe('a namespace of controllers is refused', () => {
  const namespaces: Record<string, boolean> = {
    'fleetwright-system': true,
    'kube-system': true,
    'kube-anything': true,
    'cert-manager': true,
    'envoy-ai-gateway-system': true,
    monitoring: true,
    'gmp-system': true,
    default: false,
    kube: false,
    'team-kube-system': false,
  };
  test.each(Object.entries(namespaces))('%s: %s', (namespace, refused) => {
    const resources = [
      aDeployment(`${namespace}/q`),
      aCache(`${namespace}/w`),
      aService(`${namespace}/chat`, { app: 'a' }),
      anEndpoint(`${namespace}/saas`),
      aGrant(`${namespace}/g`, 'web', { kind: 'ModelEndpoint' }),
    ];
    for (const check of [checkFleet, checkPartialFleet]) {
      const diagnostics = check(assemble(resources), byPath).filter(({ code }) => code === 'reserved-namespace');
      expect(diagnostics).toHaveLength(refused ? resources.length : 0);
    }
  });

  test('at the namespace, with what it holds', () => {
    expect(checkPartialFleet(assemble([aDeployment('fleetwright-system/q')]), byPath).map(formatDiagnostic)).toEqual([
      'ModelDeployment fleetwright-system/q metadata.namespace: ModelDeployment fleetwright-system/q is in a reserved namespace: fleetwright-system is for gateways and their keys. Move it to another namespace.',
    ]);
  });
});
