import type { InferenceCluster } from '../api/inference-cluster';
import type { Fleet } from '../fleet/fleet';
import type { CachingFleet } from './cache-drivers';
import { type AksPlan, aksPlan } from './aks/plan';
import { checkProvisioning } from './check-provisioning';
import { type EksPlan, eksPlan } from './eks/plan';
import { type GkePlan, gkePlan } from './gke/plan';
import { isManagedCloud, type ManagedCloud } from './managed-cloud';
import { minAutoscaledNodesOf, poolSizeOf } from './node-pools';

/** A resource of a cluster, with the arguments that are known before it is created. */
export interface CloudResource {
  /** As Pulumi calls it: `NodePool`. */
  readonly kind: string;
  readonly name: string;

  /** The arguments and references by name, without arguments that are ignored after creation. */
  readonly args: Readonly<Record<string, unknown>>;

  /** Set for pools that the cluster declares: the machine type of the cloud (`a3-highgpu-8g`), and the size. */
  readonly pool?: { readonly machine: string; readonly nodes: NodeBounds };
}

/** A number of nodes, or what an autoscaler may make of it. */
export interface NodeBounds {
  readonly least: number;
  readonly most: number;
}

interface PlanItem {
  readonly name: string;
  readonly args?: object;
  readonly refs?: object;
  readonly vpcConfig?: object;
  readonly options?: { readonly ignoreChanges?: readonly string[]; readonly replaceOnChanges?: readonly string[] };
}

type PlannedFleet = Pick<Fleet, 'classes' | 'settings' | 'hardware'> & CachingFleet;

/** What clouds call a control plane: GKE and EKS, and AKS. */
export const CONTROL_PLANE_KINDS: ReadonlySet<string> = new Set(['Cluster', 'ManagedCluster']);

/** A placeholder for the Google Cloud project, which only stacks know. It is the same in all compared plans. */
const ANY_PROJECT = 'project';

/** Lists resources in the order of creation. Empty for a cluster that others create or that the cloud would reject. */
export function listCloudResources(cluster: InferenceCluster, fleet: PlannedFleet): CloudResource[] {
  const cloud = cluster.spec.cluster.source;
  if (!isManagedCloud(cloud)) return [];
  for (const _ of checkProvisioning([cluster], fleet)) return [];
  return BY_CLOUD[cloud](cluster, fleet);
}

const BY_CLOUD: Readonly<Record<ManagedCloud, (cluster: InferenceCluster, fleet: PlannedFleet) => CloudResource[]>> = {
  GKE: (cluster, fleet) => resourcesOfGke(gkePlan(cluster, fleet, ANY_PROJECT), cluster),
  EKS: (cluster, fleet) => resourcesOfEks(eksPlan(cluster, fleet), cluster),
  AKS: (cluster, fleet) => resourcesOfAks(aksPlan(cluster, fleet), cluster),
};

function resourcesOfGke(plan: GkePlan, cluster: InferenceCluster): CloudResource[] {
  return [
    ...toResources('Service', plan.services),
    ...toResources('Network', [plan.network]),
    ...toResources('Subnetwork', [plan.subnet]),
    ...toResources('Router', plan.router ? [plan.router] : []),
    ...toResources('RouterNat', plan.nat ? [plan.nat] : []),
    ...toResources('Account', [plan.account]),
    ...toResources('IAMMember', plan.roles),
    ...toResources('Cluster', [plan.cluster]),
    ...toResources('NodePool', [plan.systemPool]),
    ...plan.pools.map((item) =>
      toPool('NodePool', item, { cluster, least: 0, machine: item.args.nodeConfig.machineType }),
    ),
    ...(plan.storage ? [toManifestResource(plan.storage.manifest)] : []),
  ];
}

function resourcesOfEks(plan: EksPlan, cluster: InferenceCluster): CloudResource[] {
  const templates = new Map(plan.launchTemplates.map((template) => [template.name, template]));
  const withTemplate = (item: EksPlan['pools'][number] | EksPlan['systemPool']): PlanItem => {
    const template = templates.get(item.name);
    const { tags: _, ...args } = template?.args ?? { tags: {} };
    const launchTemplate = { ...args, networkInterfaces: template?.networkInterfaces, ...template?.refs };
    return { ...item, refs: { ...item.refs, launchTemplate } };
  };
  const least = minAutoscaledNodesOf(cluster);
  const policies = plan.access.map(({ name, policy }) => ({ name, args: policy }));
  const resources = [
    ...networkOf(plan),
    ...toResources('Role', plan.roles),
    ...toResources('RolePolicyAttachment', plan.attachments),
    ...toResources('RolePolicy', plan.policies),
    ...toResources('Cluster', [withSubnets(plan)]),
    ...toResources('AccessEntry', plan.access),
    ...toResources('AccessPolicyAssociation', policies),
    ...toResources('Addon', plan.addons),
    ...toResources('PodIdentityAssociation', plan.podIdentities),
    ...toResources('PlacementGroup', plan.placementGroups),
    ...toResources('NodeGroup', [withTemplate(plan.systemPool)]),
    ...plan.pools.map((item) => {
      const machine = templates.get(item.name)?.args.instanceType ?? '';
      return toPool('NodeGroup', withTemplate(item), { cluster, least, machine });
    }),
    ...storageOf(plan),
    ...(plan.blockStorage ? [toManifestResource(plan.blockStorage)] : []),
  ];
  return resources.map((resource) => ({ ...resource, args: { region: plan.region, ...resource.args } }));
}

function resourcesOfAks(plan: AksPlan, cluster: InferenceCluster): CloudResource[] {
  const least = minAutoscaledNodesOf(cluster);
  return [
    ...toResources('ResourceGroup', [plan.resourceGroup]),
    ...toResources('VirtualNetwork', [plan.network]),
    ...toResources('Subnet', [plan.subnet, ...(plan.lustre ? [plan.lustre.subnet] : [])]),
    ...toResources('UserAssignedIdentity', [plan.identity]),
    ...toResources('RoleAssignment', plan.roles),
    ...toResources('ManagedCluster', [plan.cluster]),
    ...toResources('RoleAssignment', plan.access),
    ...plan.pools.map((item) => toPool('AgentPool', item, { cluster, least, machine: item.args.vmSize })),
    ...plan.cacheIdentities.flatMap(({ identity, credential, role }) => [
      ...toResources('UserAssignedIdentity', [identity]),
      ...toResources('FederatedIdentityCredential', [credential]),
      ...toResources('RoleAssignment', [role]),
    ]),
    ...toResources('AmlFilesystem', plan.lustre ? [plan.lustre.fileSystem] : []),
    ...(plan.storage ? [toManifestResource(plan.storage)] : []),
  ];
}

function withSubnets({ cluster }: EksPlan): PlanItem {
  const { subnetIds, ...refs } = cluster.refs;
  return { ...cluster, refs, vpcConfig: { ...cluster.vpcConfig, subnetIds } };
}

function networkOf(plan: EksPlan): CloudResource[] {
  const { efa } = plan;
  return [
    ...toResources('Vpc', [plan.vpc]),
    ...toResources('Subnet', plan.subnets),
    ...toResources('InternetGateway', [plan.internetGateway]),
    ...toResources('Eip', [plan.address]),
    ...toResources('NatGateway', [plan.nat]),
    ...toResources('RouteTable', plan.routeTables),
    ...toResources('Route', plan.routes),
    ...toResources('RouteTableAssociation', plan.associations),
    ...toResources('SecurityGroup', efa ? [efa.securityGroup] : []),
    ...toResources('SecurityGroupIngressRule', efa ? [efa.ingress] : []),
    ...toResources('SecurityGroupEgressRule', efa ? [efa.egress] : []),
  ];
}

function storageOf({ storage }: EksPlan): CloudResource[] {
  if (!storage) return [];
  return [
    ...toResources('FileSystem', [storage.fileSystem]),
    ...toResources('SecurityGroup', [storage.securityGroup]),
    ...toResources('SecurityGroupIngressRule', [storage.ingress]),
    ...toResources('MountTarget', storage.mountTargets),
    toManifestResource(storage.manifest),
  ];
}

function toResources(kind: string, items: readonly PlanItem[]): CloudResource[] {
  return items.map(({ name, args, refs, vpcConfig, options }) => {
    const known = { ...args, ...refs, ...(vpcConfig && { vpcConfig }) };
    return { kind, name, args: omitPaths(known, options?.ignoreChanges ?? []) };
  });
}

interface PoolFacts {
  readonly cluster: InferenceCluster;

  /** The minimum number of nodes from which the autoscaler of the cloud can add more. */
  readonly least: number;
  readonly machine: string;
}

function toPool(kind: string, item: PlanItem, { cluster, least, machine }: PoolFacts): CloudResource {
  const [resource] = toResources(kind, [item]);
  const declared = cluster.spec.nodePools.find(({ name }) => name === item.name);
  if (!resource || !declared) throw new Error(`bug: the pool '${item.name}' is not declared`);
  const { min, max } = poolSizeOf(declared, least);
  return { ...resource, pool: { machine, nodes: { least: min, most: max } } };
}

function toManifestResource({ metadata, ...args }: { readonly metadata: { readonly name: string } }): CloudResource {
  return { kind: 'StorageClass', name: metadata.name, args };
}

function omitPaths(args: object, paths: readonly string[]): Record<string, unknown> {
  const kept = Object.entries(args).filter(([key]) => !paths.includes(key));
  return Object.fromEntries(
    kept.map(([key, value]: [string, unknown]) => {
      const inner = paths.flatMap((path) => (path.startsWith(`${key}.`) ? [path.slice(key.length + 1)] : []));
      return [key, inner.length > 0 && value instanceof Object ? omitPaths(value, inner) : value];
    }),
  );
}
