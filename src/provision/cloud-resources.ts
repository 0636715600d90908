import type { InferenceCluster } from '../api/inference-cluster';
import type { NodePool } from '../api/node-pool';
import type { Fleet } from '../fleet';
import { provisioningFaults } from './check-provisioning';
import { type EksPlan, eksPlan } from './eks-plan';
import { leastNodes } from './eks-pool';
import { type GkePlan, gkePlan } from './gke-plan';
import { isMade, type MadeOn } from './made-on';
import { poolSize } from './pool-size';

/** A resource that is made for a cluster, as far as it is known before it is made. */
export interface CloudResource {
  /** As Pulumi calls it: `NodePool`. */
  readonly kind: string;

  /** Among those of its kind on the cluster. */
  readonly name: string;

  /** Arguments, and what is referred to by name, without those that are ignored once it is there. */
  readonly args: Readonly<Record<string, unknown>>;

  /** Set where it is a pool that the cluster declares. */
  readonly pool?: PoolFacts;
}

/** What a pool buys. */
export interface PoolFacts {
  /** As the cloud calls it: `a3-highgpu-8g`. */
  readonly machine: string;

  /** The fewest and the most; both the same without an autoscaler. */
  readonly nodes: NodeBounds;
}

/** A number of nodes, or what an autoscaler may make of it. */
export interface NodeBounds {
  readonly least: number;
  readonly most: number;
}

/** A part of a plan. */
interface Item {
  readonly name: string;
  readonly args?: object;
  readonly refs?: object;
  readonly vpcConfig?: object;
  readonly options?: { readonly ignoreChanges?: readonly string[] };
}

type Made = Pick<Fleet, 'classes' | 'settings' | 'hardware'>;

/** The project of Google Cloud is known to stacks alone, and is the same for all that is compared. */
const ANY_PROJECT = 'project';

/**
 * What is made for a cluster, in the order in which it can be made. Nothing for a cluster that others make, or that
 * would be refused.
 */
export function cloudResources(cluster: InferenceCluster, fleet: Made): CloudResource[] {
  const cloud = cluster.spec.cluster.source;
  if (!isMade(cloud)) return [];
  for (const _ of provisioningFaults([cluster], fleet)) return [];
  return BY_CLOUD[cloud](cluster, fleet);
}

const BY_CLOUD: Readonly<Record<MadeOn, (cluster: InferenceCluster, fleet: Made) => CloudResource[]>> = {
  GKE: (cluster, fleet) => ofGke(gkePlan(cluster, fleet, ANY_PROJECT), cluster),
  EKS: (cluster, fleet) => ofEks(eksPlan(cluster, fleet), cluster),
};

function ofGke(plan: GkePlan, cluster: InferenceCluster): CloudResource[] {
  const pools = plan.pools.map((item) =>
    poolOf('NodePool', item, { cluster, least: 0, machine: item.args.nodeConfig.machineType }),
  );
  return [
    ...all('Service', plan.services),
    ...all('Network', [plan.network]),
    ...all('Subnetwork', [plan.subnet]),
    ...all('Router', plan.router ? [plan.router] : []),
    ...all('RouterNat', plan.nat ? [plan.nat] : []),
    ...all('Account', [plan.account]),
    ...all('IAMMember', plan.roles),
    ...all('Cluster', [plan.cluster]),
    ...all('NodePool', [plan.systemPool]),
    ...pools,
    ...(plan.storage ? [manifestOf(plan.storage.manifest)] : []),
  ];
}

function ofEks(plan: EksPlan, cluster: InferenceCluster): CloudResource[] {
  const templates = new Map(plan.launchTemplates.map((template) => [template.name, template]));
  const group = (item: EksPlan['pools'][number] | EksPlan['systemPool']): Item => {
    const template = templates.get(item.name);
    const { tags: _, ...args } = template?.args ?? { tags: {} };
    const launchTemplate = { ...args, networkInterfaces: template?.networkInterfaces, ...template?.refs };
    return { ...item, refs: { ...item.refs, launchTemplate } };
  };
  const pools = plan.pools.map((item) => {
    const machine = templates.get(item.name)?.args.instanceType ?? '';
    return poolOf('NodeGroup', group(item), { cluster, least: leastNodes(cluster), machine });
  });
  const resources = [
    ...networkOf(plan),
    ...all('Role', plan.roles),
    ...all('RolePolicyAttachment', plan.attachments),
    ...all('RolePolicy', plan.policies),
    ...all('Cluster', [controlPlane(plan)]),
    ...all('AccessEntry', plan.access),
    ...all(
      'AccessPolicyAssociation',
      plan.access.map(({ name, policy }) => ({ name, args: policy })),
    ),
    ...all('Addon', plan.addons),
    ...all('PodIdentityAssociation', plan.podIdentities),
    ...all('PlacementGroup', plan.placementGroups),
    ...all('NodeGroup', [group(plan.systemPool)]),
    ...pools,
    ...storageOf(plan),
  ];
  return resources.map((one) => ({ ...one, args: { region: plan.region, ...one.args } }));
}

/** With its subnets where an argument has them. */
function controlPlane({ cluster }: EksPlan): Item {
  const { subnetIds, ...refs } = cluster.refs;
  return { ...cluster, refs, vpcConfig: { ...cluster.vpcConfig, subnetIds } };
}

function networkOf(plan: EksPlan): CloudResource[] {
  const { efa } = plan;
  return [
    ...all('Vpc', [plan.vpc]),
    ...all('Subnet', plan.subnets),
    ...all('InternetGateway', [plan.internetGateway]),
    ...all('Eip', [plan.address]),
    ...all('NatGateway', [plan.nat]),
    ...all('RouteTable', plan.routeTables),
    ...all('Route', plan.routes),
    ...all('RouteTableAssociation', plan.associations),
    ...all('SecurityGroup', efa ? [efa.securityGroup] : []),
    ...all('SecurityGroupIngressRule', efa ? [efa.ingress] : []),
    ...all('SecurityGroupEgressRule', efa ? [efa.egress] : []),
  ];
}

function storageOf({ storage }: EksPlan): CloudResource[] {
  if (!storage) return [];
  return [
    ...all('FileSystem', [storage.fileSystem]),
    ...all('SecurityGroup', [storage.securityGroup]),
    ...all('SecurityGroupIngressRule', [storage.ingress]),
    ...all('MountTarget', storage.mountTargets),
    manifestOf(storage.manifest),
  ];
}

function all(kind: string, items: readonly Item[]): CloudResource[] {
  return items.map(({ name, args, refs, vpcConfig, options }) => {
    const known = { ...args, ...refs, ...(vpcConfig && { vpcConfig }) };
    return { kind, name, args: without(known, options?.ignoreChanges ?? []) };
  });
}

interface Pool {
  readonly cluster: InferenceCluster;

  /** The fewest nodes from which the autoscaler of the cloud can add more. */
  readonly least: number;
  readonly machine: string;
}

function poolOf(kind: string, item: Item, { cluster, least, machine }: Pool): CloudResource {
  const [resource] = all(kind, [item]);
  const declared = cluster.spec.nodePools.find(({ name }) => name === item.name);
  if (!resource || !declared) throw new Error(`bug: the pool '${item.name}' is not declared`);
  return { ...resource, pool: { machine, nodes: boundsOf(declared, least) } };
}

function boundsOf(pool: NodePool, least: number): NodeBounds {
  const size = poolSize(pool, least);
  return size.kind === 'Fixed'
    ? { least: size.nodes, most: size.nodes }
    : { least: size.min, most: size.max };
}

function manifestOf({ metadata, ...args }: { readonly metadata: { readonly name: string } }): CloudResource {
  return { kind: 'StorageClass', name: metadata.name, args };
}

/** Arguments without those at some paths: `scalingConfig.desiredSize`. */
function without(args: object, paths: readonly string[]): Record<string, unknown> {
  const here = new Set(paths);
  const entries = Object.entries(args).filter(([key]) => !here.has(key));
  return Object.fromEntries(
    entries.map(([key, value]: [string, unknown]) => {
      const inner = paths.flatMap((path) => (path.startsWith(`${key}.`) ? [path.slice(key.length + 1)] : []));
      return [key, inner.length > 0 && value instanceof Object ? without(value, inner) : value];
    }),
  );
}
