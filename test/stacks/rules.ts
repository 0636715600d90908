import { groupBy } from '../../src/base/order';
import { findWorkloadsBehind, groupWorkloadsByService } from '../../src/manifest/kubernetes/apply-order';
import type { Manifest } from '../../src/manifest/kubernetes/manifest';
import type { Registered } from './record';

/** What stands in the kubeconfigs of all clusters that exist. */
export const SECRET = 'a-token-of-the-kubeconfig';

const IN_CLUSTER = /(ServingStack|ClusterWorkloads) /;

/** What clusters stand on. */
const FOUNDATIONS: ReadonlySet<string> = new Set([
  'gcp:compute/subnetwork:Subnetwork',
  'gcp:projects/iAMMember:IAMMember',
  'aws:ec2/subnet:Subnet',
  'aws:iam/rolePolicyAttachment:RolePolicyAttachment',
  'azure-native:network:Subnet',
  'azure-native:resources:ResourceGroup',
]);

/** What AWS has no tags for. */
const UNTAGGED: ReadonlySet<string> = new Set([
  'aws:ec2/route:Route',
  'aws:ec2/routeTableAssociation:RouteTableAssociation',
  'aws:efs/mountTarget:MountTarget',
  'aws:eks/accessPolicyAssociation:AccessPolicyAssociation',
  'aws:iam/rolePolicy:RolePolicy',
  'aws:iam/rolePolicyAttachment:RolePolicyAttachment',
  'aws:route53/record:Record',
]);

/** What Azure has no tags for. */
const AZURE_UNTAGGED = /:(FederatedIdentityCredential|RecordSet|RoleAssignment|Subnet)$/;

type Is = (one: Registered) => boolean;

const isWorkload: Is = ({ type, parent }) => type.startsWith('kubernetes:') && parent.includes('Workloads');
const isPool: Is = ({ type }) => /:(NodePool|NodeGroup|AgentPool)$/.test(type);
const isControlPlane: Is = ({ type }) =>
  /^((gcp:container|aws:eks)\/cluster:Cluster|azure-native:containerservice:ManagedCluster)$/.test(type);

function owned(labels: unknown): boolean {
  return typeof labels === 'object' && labels !== null && 'fleetwright-cluster' in labels;
}

function nodeConfigOf(inputs: Registered['inputs']): Readonly<Record<string, unknown>> {
  return (inputs['nodeConfig'] ?? {}) as Readonly<Record<string, unknown>>;
}

function idOf({ type, name }: Registered): string {
  return `${type} ${name}`;
}

/** `us` of `us`, `us_l4` and `us/Namespace.ml`. */
function clusterOf({ name }: Registered): string {
  return /^[^_/]*/.exec(name)?.[0] ?? '';
}

/** What a route is attached to, or the class of a Gateway. */
function gatewaysOf(one: Registered): string[] {
  const { kind, metadata, spec } = one.inputs as unknown as Manifest;
  const id = (of: string, name: unknown) =>
    `kubernetes:gateway.networking.k8s.io/v1:${of} ${clusterOf(one)}/${of}.${String(name)}`;
  if (kind === 'Gateway') return [id('GatewayClass', spec?.['gatewayClassName'])];
  const parents = (kind === 'HTTPRoute' && spec?.['parentRefs']) || [];
  return (parents as readonly { namespace?: string; name: string }[]).map(({ namespace, name }) =>
    id('Gateway', `${namespace ?? metadata.namespace}.${name}`),
  );
}

/** Everything that each resource waits for, by `type name`. */
function closureOf(all: readonly Registered[]): ReadonlyMap<string, ReadonlySet<string>> {
  const closure = new Map<string, ReadonlySet<string>>();
  for (const one of all) {
    const own = one.dependsOn.flatMap((other) => [other, ...(closure.get(other) ?? [])]);
    const { provider } = one;
    closure.set(idOf(one), new Set([...own, ...(closure.get(provider) ?? [])]));
  }
  return closure;
}

/** Those of some resources that do not wait for all of others of the same cluster. */
function notAfter(all: readonly Registered[], later: Is, earlier: Is): string[] {
  const closure = closureOf(all);
  const first = groupBy(all.filter(earlier), clusterOf);
  return all
    .filter(later)
    .filter((one) => first.get(clusterOf(one))?.some((other) => !closure.get(idOf(one))?.has(idOf(other))))
    .map(idOf);
}

/** Rules over everything that a program registers: each finds what breaks it. */
export const RULES: Record<string, (all: readonly Registered[]) => unknown[]> = {
  'every resource of a cluster names its provider: the kubeconfig at hand is never used': (all) =>
    all.filter(({ type, provider }) => type.startsWith('kubernetes:') && !provider.startsWith('pulumi:providers:')),
  'what is on a cluster is on the provider of that cluster': (all) =>
    all.filter(
      ({ type, name, provider }) => type.startsWith('kubernetes:') && provider.split(' ').at(-1) !== name.split('/')[0],
    ),
  'no two resources of a type have one name': (all) => {
    const ids = all.map(({ type, name }) => `${type} ${name}`);
    return ids.filter((id, index) => ids.indexOf(id) !== index);
  },
  'everything but the stack has a parent that was registered before it': (all) => {
    const seen = new Set<string>();
    return all.filter(({ type, name, parent }) => {
      seen.add(`${type} ${name}`);
      return type !== 'pulumi:pulumi:Stack' && !seen.has(parent);
    });
  },
  'what is no component is in one of ours': (all) =>
    all.filter(({ custom, parent }) => custom && !parent.startsWith('fleetwright:index:')),
  'nothing waits for what comes later': (all) => {
    const seen = new Set<string>();
    return all.filter(({ type, name, dependsOn }) => {
      seen.add(`${type} ${name}`);
      return dependsOn.some((other) => !seen.has(other));
    });
  },
  'objects are destroyed before the releases of their cluster': (all) =>
    notAfter(all, isWorkload, ({ type }) => type === 'kubernetes:helm.sh/v3:Release'),
  'releases and objects are destroyed before the pools of their cluster': (all) =>
    notAfter(all, ({ parent }) => IN_CLUSTER.test(parent), isPool),
  'pools are destroyed before their cluster': (all) => notAfter(all, isPool, isControlPlane),
  'clusters are destroyed before their networks, and before what lets them do anything': (all) =>
    notAfter(all, isControlPlane, ({ type }) => FOUNDATIONS.has(type)),
  'nodes are destroyed before their way out': (all) =>
    notAfter(all, isPool, ({ type }) => type === 'aws:ec2/route:Route' || type.includes('routerNat')),
  'workloads are destroyed before their namespace': (all) => {
    const closure = closureOf(all);
    return all.filter((one) => {
      const { namespace } = (one.inputs['metadata'] ?? {}) as { namespace?: string };
      const wanted = `kubernetes:core/v1:Namespace ${clusterOf(one)}/Namespace.${namespace}`;
      return closure.has(wanted) && isWorkload(one) && !closure.get(idOf(one))?.has(wanted);
    });
  },
  'routes are destroyed before the workloads that they lead to': (all) => {
    const closure = closureOf(all);
    const objects = all.filter(isWorkload).map((one) => ({ one, manifest: one.inputs as unknown as Manifest }));
    return [...groupBy(objects, ({ one }) => clusterOf(one)).values()].flatMap((here) => {
      const workloads = groupWorkloadsByService(here.map(({ manifest }) => manifest));
      const ids = new Map(here.map(({ one, manifest }) => [manifest, idOf(one)]));
      return here
        .filter(({ manifest: { kind } }) => kind === 'HTTPRoute')
        .flatMap(({ one, manifest }) =>
          findWorkloadsBehind(manifest, workloads)
            .filter((behind) => !closure.get(idOf(one))?.has(ids.get(behind) ?? ''))
            .map(() => idOf(one)),
        );
    });
  },
  'routes are destroyed before their Gateways, and those before their class': (all) => {
    const closure = closureOf(all);
    return all.filter((one) => gatewaysOf(one).some((id) => closure.has(id) && !closure.get(idOf(one))?.has(id)));
  },
  'volumes are destroyed before their class, so that none is left without what deletes it': (all) =>
    notAfter(
      all,
      ({ type }) => type.endsWith(':PersistentVolumeClaim'),
      ({ type }) => type.endsWith(':StorageClass'),
    ),
  'what can say whose it is says so': (all) =>
    all.filter(
      ({ type, inputs }) =>
        (type.startsWith('aws:') && !UNTAGGED.has(type) && !owned(inputs['tags'])) ||
        (type.startsWith('azure-native:') && !AZURE_UNTAGGED.test(type) && !owned(inputs['tags'])) ||
        (type === 'gcp:container/cluster:Cluster' && !owned(inputs['resourceLabels'])) ||
        (type === 'gcp:container/nodePool:NodePool' && !owned(nodeConfigOf(inputs)['resourceLabels'])),
    ),
  'pools with GPUs give up in half an hour': (all) => all.filter((one) => isPool(one) && one.createTimeout !== '30m'),
  'a kubeconfig is a secret wherever it is': (all) =>
    all.filter(({ inputs }) => {
      const { kubeconfig } = inputs;
      return kubeconfig !== undefined && !(kubeconfig as object).hasOwnProperty('secret');
    }),
  'the token of a cluster is in its provider alone': (all) =>
    all.filter(({ type, inputs }) => {
      const plain = JSON.stringify(inputs, (key, value: unknown) => (key === 'secret' ? undefined : value));
      const secret = JSON.stringify(inputs).includes(SECRET);
      return plain.includes(SECRET) || (secret && !type.startsWith('pulumi:providers:'));
    }),
};
