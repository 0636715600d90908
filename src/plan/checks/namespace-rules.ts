import type { Resource, ResourcePath } from '../../api/kinds';
import type { ModelDeployment } from '../../api/model-deployment';
import type { NamespaceRule } from '../../api/namespace-rule';
import type { Path } from '../../api/resource';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { getOrCompute } from '../../base/memoize';
import type { FleetCheck } from '../../fleet/checks/fleet-check';
import type { Fleet, PreviousRevision } from '../../fleet/fleet';
import { findPodSecurityViolations } from '../../render/pod/pod-security-standards';
import { listMemberTemplates, type MemberTemplate, toUnprivilegedPod } from './member-templates';
import { cacheAccountNameOf } from '../../manifest/kubernetes/object-names';
import { holderOfNamespace } from './reserved-namespaces';
import { findSecretNames } from './secret-names';

type Confined = Extract<Resource, { kind: 'ModelDeployment' | 'ModelCache' | 'ModelService' | 'ModelEndpoint' }>;

/** What resources of a namespace may use. */
type Rule = Omit<NamespaceRule, 'match'>;

/** What a namespace may use that no rule matches. */
const DEFAULT_PERMISSIONS: Rule = {
  podSecurity: 'Baseline',
  privileged: false,
  hostPath: false,
};

/** Returns the first rule that matches a namespace, or the default. */
function namespaceRuleOf(rules: readonly NamespaceRule[], namespace: string): Rule {
  return rules.find(({ match }) => matchesPattern(match, namespace)) ?? DEFAULT_PERMISSIONS;
}

/** Whether one of some names, or of some beginnings of names with `*` at the end, matches a name. */
function matchesPattern(patterns: readonly string[], name: string): boolean {
  return patterns.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : one === name));
}

/** Something that a resource uses and its rule forbids. */
interface Use {
  readonly path: Path;

  /** A clause: `volume 'host' is a path of its node`. */
  readonly what: string;

  /** What allows it: `set hostPath: true`. */
  readonly allow: string;
}

/** Finds what a rule forbids, one function for each field of a rule. */
const FORBIDDEN_USES: readonly ((resource: Confined, rule: Rule) => readonly Use[])[] = [
  findPrivileged,
  findHostPaths,
  findLowerLevels,
  findAccounts,
  findTokens,
  findSecrets,
];

/** What was found in the specs of deployments before, by rule. Many deployments share a spec. */
type KnownUses = Map<Rule, Map<ModelDeployment['spec'], readonly Use[]>>;

function findForbiddenUses(resource: Confined, rule: Rule, known: KnownUses): readonly Use[] {
  const find = (): Use[] => FORBIDDEN_USES.flatMap((one) => one(resource, rule));
  return resource.kind === 'ModelDeployment' ? getOrCompute(known, rule, resource.spec, find) : find();
}

function findPrivileged(resource: Confined, rule: Rule): Use[] {
  if (rule.privileged) return [];
  return containersOf(resource)
    .filter(({ container }) => container.securityContext?.privileged)
    .map(({ container, path }) => ({
      path: [...path, 'securityContext', 'privileged'],
      what: `container '${container.name}' is privileged`,
      allow: 'set privileged: true',
    }));
}

function findHostPaths(resource: Confined, rule: Rule): Use[] {
  if (rule.hostPath) return [];
  return volumesOf(resource)
    .filter(({ volume }) => volume.hostPath !== undefined)
    .map(({ volume, path }) => ({
      path: [...path, 'hostPath'],
      what: `volume '${volume.name}' mounts a path of its node`,
      allow: 'set hostPath: true',
    }));
}

/** The levels of violations that a lowest level forbids. */
const FORBIDDEN_LEVELS: Readonly<Record<Rule['podSecurity'], readonly string[]>> = {
  Restricted: ['baseline', 'restricted'],
  Baseline: ['baseline'],
  Privileged: [],
};

function findLowerLevels(resource: Confined, { podSecurity }: Rule): Use[] {
  return templatesOf(resource).flatMap((template): Use[] => {
    const violations = findPodSecurityViolations(toUnprivilegedPod(template));
    const found = violations.filter(({ level }) => FORBIDDEN_LEVELS[podSecurity].includes(level));
    if (found.length === 0) return [];
    const reasons = [...new Set(found.map(({ reason }) => reason))].join('; ');
    const allow = `set podSecurity: ${found.some(({ level }) => level === 'baseline') ? 'Privileged' : 'Baseline'}`;
    return [{ path: template.path, what: `its pod does not meet the level ${podSecurity}: ${reasons}`, allow }];
  });
}

/** Finds ServiceAccounts that a list leaves out. Without a list, a pod may run as any account of its namespace. */
function findAccounts(resource: Confined, { serviceAccounts }: Rule): Use[] {
  if (serviceAccounts === undefined) return [];
  return accountsOf(resource)
    .filter(({ name }) => name !== DEFAULT_ACCOUNT && !serviceAccounts.includes(name))
    .map(({ name, path }) => ({ path, what: `it runs as ServiceAccount '${name}'`, allow: allowAccount(name) }));
}

/** Pods without a name of an account run as this one, which has no rights unless a role grants some. */
const DEFAULT_ACCOUNT = 'default';

function allowAccount(name: string): string {
  return `add ${name} to serviceAccounts`;
}

function findTokens(resource: Confined, { serviceAccounts = [] }: Rule): Use[] {
  return templatesOf(resource).flatMap(({ spec, path }) => {
    const account = spec.serviceAccountName ?? DEFAULT_ACCOUNT;
    if (serviceAccounts.includes(account)) return [];
    const automatic = spec.automountServiceAccountToken ? [[...path, 'automountServiceAccountToken']] : [];
    const projected = (spec.volumes ?? []).flatMap(({ projected: volume }, v) =>
      (volume?.sources ?? []).flatMap(({ serviceAccountToken }, s) =>
        serviceAccountToken ? [[...path, 'volumes', v, 'projected', 'sources', s, 'serviceAccountToken']] : [],
      ),
    );
    const what = `it mounts a token of ServiceAccount '${account}'`;
    return [...automatic, ...projected].map((at) => ({ path: at, what, allow: allowAccount(account) }));
  });
}

function findSecrets(resource: Confined, { secrets }: Rule): Use[] {
  if (secrets === undefined) return [];
  return findSecretNames(resource.spec, ['spec'])
    .filter(({ name }) => !matchesPattern(secrets, name))
    .map(({ path }) => ({
      path,
      what: 'it refers to a Secret that is not in the list',
      allow: 'add its name to secrets',
    }));
}

function templatesOf(resource: Confined): MemberTemplate[] {
  return resource.kind === 'ModelDeployment' ? listMemberTemplates(resource) : [];
}

function containersOf(resource: Confined): MemberTemplate['containers'] {
  return templatesOf(resource).flatMap(({ containers }) => containers);
}

function volumesOf(resource: Confined) {
  return templatesOf(resource).flatMap(({ spec: { volumes = [] }, path }) =>
    volumes.map((volume, v) => ({ volume, path: [...path, 'volumes', v] })),
  );
}

function accountsOf(resource: Confined): { readonly name: string; readonly path: Path }[] {
  if (resource.kind === 'ModelCache') {
    const declared = (['s3', 'gcs', 'azureBlob'] as const).flatMap((source) => {
      const name = resource.spec[source]?.serviceAccountName;
      return name === undefined ? [] : [{ name, path: ['spec', source, 'serviceAccountName'] }];
    });
    // An identity in the cloud is made for this one.
    const isMade = resource.spec.azureBlob?.storageAccountId !== undefined;
    const made = { name: cacheAccountNameOf(resource.metadata), path: ['spec', 'azureBlob', 'storageAccountId'] };
    return isMade ? [...declared, made] : declared;
  }
  return templatesOf(resource).flatMap(({ spec: { serviceAccountName: name }, path }) =>
    name === undefined ? [] : [{ name, path: [...path, 'serviceAccountName'] }],
  );
}

/** Checks that resources use only what the rules of the Fleet allow in their namespaces. */
export const checkNamespaceRules: FleetCheck = function* ({ settings, ...fleet }) {
  const rules = settings?.spec.namespaces ?? [];
  const { deployments, caches, services, endpoints } = fleet;
  const known: KnownUses = new Map();
  for (const resource of [deployments, caches, services, endpoints].flat()) yield* checkUses(resource, rules, known);
};

function* checkUses(
  resource: Confined,
  rules: readonly NamespaceRule[],
  known: KnownUses = new Map(),
): Iterable<Diagnostic<ResourcePath>> {
  const { namespace = '' } = resource.metadata;
  const rule = namespaceRuleOf(rules, namespace);
  for (const { path, what, allow } of findForbiddenUses(resource, rule, known)) {
    const message = `${what}, which the fleet does not allow in namespace '${namespace}'`;
    const hint = `Remove it, or ${allow} for that namespace at Fleet.spec.namespaces`;
    yield errorAt('not-permitted', { resource, path }, message, hint);
  }
}

/**
 * Returns the earlier revisions that the fleet still allows. Replicas of others are replaced with downtime: a lock must
 * not bring back what the rules forbid.
 */
export function permittedRevisions({ settings }: Fleet, revisions: readonly PreviousRevision[]): PreviousRevision[] {
  const rules = settings?.spec.namespaces ?? [];
  return revisions.filter(({ declared }) => {
    const isReserved = holderOfNamespace(declared.metadata.namespace ?? '') !== undefined;
    return !isReserved && [...checkUses(declared, rules)].length === 0;
  });
}
