import type { LaunchTemplate } from '@pulumi/aws/ec2/launchTemplate';
import { Addon, type AddonArgs } from '@pulumi/aws/eks/addon';
import { type ClusterArgs, Cluster as ControlPlane } from '@pulumi/aws/eks/cluster';
import type { NodeGroup } from '@pulumi/aws/eks/nodeGroup';
import { PodIdentityAssociation } from '@pulumi/aws/eks/podIdentityAssociation';
import type { Provider } from '@pulumi/kubernetes/provider';
import type { StorageClass, StorageClassArgs } from '@pulumi/kubernetes/storage/v1/storageClass';
import {
  all,
  ComponentResource,
  type ComponentResourceOptions,
  type Output,
  type Resource,
  secret,
} from '@pulumi/pulumi';
import type { EksPlan } from '../../src/provision/eks/plan';
import { formatEksKubeconfig } from '../../src/provision/kubeconfig';
import type { Cluster } from '../cloud/cluster';
import { createClusterProvider, type ProviderTransform } from '../cloud/cluster-provider';
import { arnOf, type EksRoles, registerEksAccess, registerEksRoles } from './iam';
import { type EksNetwork, type EksScope, type NetworkTransform, registerEksNetwork } from './network';
import { type PoolTransform, registerEksPools } from './pools';
import { type EksFiles, registerEksFiles, type StorageTransform } from './storage';
import { registerStorageClass } from '../workloads/kubernetes-objects';
import { getByName, registerByName, resourceNameOf } from '../cloud/resource-names';

/** Changes to the parts of a cluster on EKS, each from the planned arguments. */
export interface EksTransform extends NetworkTransform, PoolTransform, StorageTransform, ProviderTransform {
  /** Changes the arguments of the control plane. */
  readonly cluster?: (args: ClusterArgs) => ClusterArgs;

  /** Changes the arguments of an add-on, by its name: `coredns`. */
  readonly addon?: (args: AddonArgs, name: string) => AddonArgs;

  /** Changes the arguments of the storage class that is created where the cluster declares none. */
  readonly storageClass?: (args: StorageClassArgs) => StorageClassArgs;
}

/** Arguments of an `EksCluster`. */
export interface EksClusterArgs {
  /** The plan of the cluster, as `eksPlan` returns it. */
  readonly plan: EksPlan;

  /**
   * Changes to the parts of the cluster.
   *
   * @default - none
   */
  readonly transform?: EksTransform;

  /**
   * The identity of the cluster. Change it when the cluster was rebuilt: everything on it is then created again.
   *
   * @default - its region and name
   */
  readonly identity?: string;

  /**
   * Whether the file system stays when the cluster is destroyed: it holds models that took hours to load.
   *
   * @default true
   */
  readonly keepData?: boolean;
}

/**
 * A cluster on EKS with its network, its roles, its add-ons, its pools and a file system.
 *
 * Its parts are created in this order: network and roles, control plane, prerequisites of nodes, pools, add-ons that
 * need nodes. Everything on the cluster waits for all of them. They are destroyed in reverse order.
 *
 * @example
 * const us = new EksCluster('us', { plan: eksPlan(cluster, fleet) });
 * us.pools.get('h200')?.resources;
 */
export class EksCluster extends ComponentResource implements Cluster {
  readonly name: string;
  readonly provider: Provider;
  readonly hasLoadBalancers = true;
  readonly kubeconfig: Output<string>;
  readonly dependencies: readonly Resource[];
  readonly network: EksNetwork;
  readonly roles: EksRoles;
  readonly cluster: ControlPlane;

  /** Access entries of cluster administrators, in addition to the creator, and their policies. */
  readonly access: readonly Resource[];

  /** Add-ons by name. */
  readonly addons: ReadonlyMap<string, Addon>;

  /** Pools by name, including `system`. */
  readonly pools: ReadonlyMap<string, NodeGroup>;

  /** Launch templates by pool name, including `system`. */
  readonly launchTemplates: ReadonlyMap<string, LaunchTemplate>;

  /** The shared file system. Undefined where the cluster declares a storage class. */
  readonly files: EksFiles | undefined;

  /** @param name the name of its InferenceCluster */
  constructor(name: string, args: EksClusterArgs, opts?: ComponentResourceOptions) {
    super('fleetwright:index:EksCluster', name, {}, opts);
    const { plan, transform = {}, identity = `eks/${plan.region}/${name}`, keepData = true } = args;
    const scope: EksScope = { cluster: name, region: plan.region, parent: this };
    this.name = name;
    this.network = registerEksNetwork(plan, scope, transform);
    this.roles = registerEksRoles(name, plan, this);
    this.cluster = this.#controlPlane(plan, transform);
    this.kubeconfig = this.#kubeconfig(plan);
    this.provider = createClusterProvider(name, { kubeconfig: this.kubeconfig, identity }, transform, this);
    const clusterGroup = this.cluster.vpcConfig.clusterSecurityGroupId;
    const { network, roles } = this;
    this.files = plan.storage && registerEksFiles(plan.storage, scope, { network, clusterGroup, keepData }, transform);
    const first = this.#addons(plan, false, transform, []);
    const beforeNodes = [...first.values(), ...network.wayOut];
    const base = { clusterName: this.cluster.name, clusterGroup, network, roles, needs: beforeNodes };
    const { pools, launchTemplates } = registerEksPools(plan, scope, base, transform);
    this.pools = pools;
    this.launchTemplates = launchTemplates;
    const nodes = [...this.pools.values()];
    const identities = this.#identities(plan);
    this.access = registerEksAccess(plan, scope, this.cluster.name);
    const later = this.#addons(plan, true, transform, [getByName(this.pools, plan.systemPool.name)]);
    this.addons = new Map([...first, ...later]);
    const needs = [...later.values(), ...this.access];
    this.dependencies = [...nodes, ...needs, ...identities, ...this.#storageClasses(plan, needs, transform)];
    this.registerOutputs({ kubeconfig: this.kubeconfig });
  }

  #controlPlane({ cluster, region }: EksPlan, { cluster: tune }: EksTransform): ControlPlane {
    const subnetIds = cluster.refs.subnetIds.map((name) => getByName(this.network.subnets, name).id);
    const args: ClusterArgs = {
      ...cluster.args,
      region,
      roleArn: arnOf(this.roles, cluster.refs.roleArn),
      vpcConfig: { ...cluster.vpcConfig, subnetIds },
    };
    return new ControlPlane(this.name, tune?.(args) ?? args, {
      ...cluster.options,
      parent: this,
      // Load balancers of Services use the public subnets, which must be destroyed after the cluster.
      dependsOn: [...this.roles.policies, ...this.network.subnets.values()],
      deleteBeforeReplace: true,
    });
  }

  #kubeconfig({ region }: EksPlan): Output<string> {
    const { name, endpoint, certificateAuthority } = this.cluster;
    return secret(
      all([name, endpoint, certificateAuthority]).apply(([clusterName, server, { data }]) =>
        formatEksKubeconfig({ name: clusterName, server, certificate: data }, region),
      ),
    );
  }

  #addons(
    { addons, region }: EksPlan,
    afterNodes: boolean,
    { addon: tune }: EksTransform,
    dependsOn: Resource[],
  ): ReadonlyMap<string, Addon> {
    return registerByName(
      addons.filter((one) => one.afterNodes === afterNodes),
      ({ name, args, identity }) => {
        const roles = identity && [
          { serviceAccount: identity.serviceAccount, roleArn: arnOf(this.roles, identity.role) },
        ];
        const addonArgs: AddonArgs = {
          ...args,
          region,
          clusterName: this.cluster.name,
          ...(roles && { podIdentityAssociations: roles }),
        };
        const tuned = tune?.(addonArgs, name) ?? addonArgs;
        return new Addon(resourceNameOf(this.name, name), tuned, { parent: this, dependsOn });
      },
    );
  }

  #identities({ podIdentities, region }: EksPlan): PodIdentityAssociation[] {
    return podIdentities.map(({ name, args, refs }) => {
      const roleArn = arnOf(this.roles, refs.roleArn);
      const association = { ...args, region, clusterName: this.cluster.name, roleArn };
      return new PodIdentityAssociation(resourceNameOf(this.name, name), association, { parent: this });
    });
  }

  /** The storage classes of disks and of the file system. The ID of the file system is an output. */
  #storageClasses(
    { storage, blockStorage }: EksPlan,
    needs: readonly Resource[],
    { storageClass: tune }: EksTransform,
  ): StorageClass[] {
    const disks = blockStorage ? [this.#storageClass(blockStorage.metadata.name, blockStorage, needs)] : [];
    if (!storage || !this.files) return disks;
    const { metadata, parameters } = storage.manifest;
    const { fileSystem, mountTargets } = this.files;
    const args = { ...storage.manifest, parameters: { ...parameters, fileSystemId: fileSystem.id } };
    return [...disks, this.#storageClass(metadata.name, tune?.(args) ?? args, [...needs, ...mountTargets])];
  }

  #storageClass(name: string, args: StorageClassArgs, dependsOn: readonly Resource[]): StorageClass {
    return registerStorageClass(`${this.name}/StorageClass.${name}`, args, {
      parent: this,
      provider: this.provider,
      dependsOn: [...dependsOn],
    });
  }
}
