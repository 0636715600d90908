import { getClientConfigOutput } from '@pulumi/azure-native/authorization/getClientConfig';
import { RoleAssignment } from '@pulumi/azure-native/authorization/roleAssignment';
import { AgentPool, type AgentPoolArgs } from '@pulumi/azure-native/containerservice/agentPool';
import { listManagedClusterUserCredentialsOutput } from '@pulumi/azure-native/containerservice/listManagedClusterUserCredentials';
import { ManagedCluster, type ManagedClusterArgs } from '@pulumi/azure-native/containerservice/managedCluster';
import type { Provider } from '@pulumi/kubernetes/provider';
import type { StorageClass, StorageClassArgs } from '@pulumi/kubernetes/storage/v1/storageClass';
import {
  all,
  ComponentResource,
  type ComponentResourceOptions,
  type CustomResource,
  type Output,
  output,
  type Resource,
  secret,
} from '@pulumi/pulumi';
import { CREATOR } from '../../src/provision/aks/access';
import type { AksPlan } from '../../src/provision/aks/plan';
import { formatAksKubeconfig } from '../../src/provision/kubeconfig';
import { CLIENT_ID_ANNOTATION } from '../../src/replicas/azure-blob';
import { type AksCacheIdentity, registerCacheIdentities } from './cache-identities';
import { type AksFoundation, type AksFoundationTransform, registerAksFoundation } from './foundation';
import { type AksLustre, type AksLustreTransform, registerAksLustre } from './lustre';
import { type AzureArgs, tuneAzureArgs } from './azure-args';
import type { AccountAnnotations, Cluster } from '../cloud/cluster';
import { createClusterProvider, type ProviderTransform } from '../cloud/cluster-provider';
import { registerStorageClass } from '../workloads/kubernetes-objects';
import { createPoolRequest } from '../cloud/pool-request';
import { registerByName, resourceNameOf } from '../cloud/resource-names';

/** Changes to the parts of a cluster on AKS, each from the planned arguments. */
export interface AksTransform extends AksFoundationTransform, AksLustreTransform, ProviderTransform {
  /** Changes the arguments of the control plane, a `ManagedCluster`. */
  readonly cluster?: (args: AzureArgs) => AzureArgs;

  /** Changes the arguments of a pool, an `AgentPool`, by its name. The pool `system` is part of the control plane. */
  readonly pool?: (args: AzureArgs, name: string) => AzureArgs;

  /** Changes the arguments of the storage class that is created where the cluster declares none. */
  readonly storageClass?: (args: StorageClassArgs) => StorageClassArgs;
}

/** Arguments of an `AksCluster`. */
export interface AksClusterArgs {
  /** The plan of the cluster, as `aksPlan` returns it. */
  readonly plan: AksPlan;

  /**
   * Changes to the parts of the cluster.
   *
   * @default - none
   */
  readonly transform?: AksTransform;

  /**
   * The identity of the cluster. Change it when the cluster was rebuilt: everything on it is then created again.
   *
   * @default - its resource group and name
   */
  readonly identity?: string;
}

/** Leaves it to Azure to find out what a principal is. Without an output, the package adds that it is a user. */
const ANY_PRINCIPAL = output<string | undefined>(undefined);

/**
 * A cluster on AKS with its resource group, its network, the identity of its control plane and its pools.
 *
 * Its parts are created in this order: resource group, network and identity, control plane with the pool without GPUs,
 * roles of administrators and pools. Everything on the cluster waits for all of them. They are destroyed in reverse
 * order.
 *
 * @example
 * const eu = new AksCluster('eu', { plan: aksPlan(cluster, fleet) });
 * eu.oidcIssuer.apply(console.log);
 */
export class AksCluster extends ComponentResource implements Cluster {
  readonly name: string;
  readonly provider: Provider;
  readonly hasLoadBalancers = true;
  readonly kubeconfig: Output<string>;
  readonly dependencies: readonly Resource[];

  /** Resource group, network and identity. */
  readonly foundation: AksFoundation;

  /** The control plane, a `ManagedCluster` of `@pulumi/azure-native`. */
  readonly cluster: CustomResource;

  /** The issuer of tokens of service accounts, for federated credentials of identities in Azure. */
  readonly oidcIssuer: Output<string>;

  /** The file system of Azure Managed Lustre, if the cluster declares one. */
  readonly lustre: AksLustre | undefined;

  /** The identities of caches that are staged from Azure Blob Storage. */
  readonly cacheIdentities: readonly AksCacheIdentity[];
  readonly accounts: AccountAnnotations;

  /** The roles of administrators on the cluster. */
  readonly access: readonly Resource[];

  /** Pools by name, each an `AgentPool` of `@pulumi/azure-native`. Without `system`, which is part of the cluster. */
  readonly pools: ReadonlyMap<string, CustomResource>;

  /** @param name the name of its InferenceCluster */
  constructor(name: string, args: AksClusterArgs, opts?: ComponentResourceOptions) {
    super('fleetwright:index:AksCluster', name, {}, opts);
    const { plan, transform = {}, identity = `aks/${plan.resourceGroup.name}/${name}` } = args;
    this.name = name;
    this.foundation = registerAksFoundation(name, plan, transform, this);
    const after = { after: this.foundation.subnet, parent: this };
    this.lustre = plan.lustre && registerAksLustre(name, plan.lustre, after, transform);
    const cluster = this.#controlPlane(plan, transform);
    this.cluster = cluster;
    this.oidcIssuer = cluster.oidcIssuerProfile.apply((profile) => profile?.issuerURL ?? '');
    this.kubeconfig = this.#kubeconfig(plan);
    this.provider = createClusterProvider(name, { kubeconfig: this.kubeconfig, identity }, transform, this);
    this.access = this.#access(plan, cluster);
    const under = { group: this.foundation.resourceGroup, issuer: this.oidcIssuer, parent: this };
    this.cacheIdentities = registerCacheIdentities(name, plan, under);
    this.accounts = new Map(
      this.cacheIdentities.map(({ account, clientId }) => [account, { [CLIENT_ID_ANNOTATION]: clientId }]),
    );
    this.pools = this.#pools(plan, transform);
    const nodes = [...this.pools.values(), ...this.access];
    const identities = this.cacheIdentities.flatMap(({ needs }) => needs);
    this.dependencies = [...nodes, ...identities, ...this.#storageClass(plan, transform)];
    this.registerOutputs({ kubeconfig: this.kubeconfig });
  }

  #controlPlane({ cluster }: AksPlan, { cluster: tune }: AksTransform): ManagedCluster {
    const { identity, subnet, needs } = this.foundation;
    const args: ManagedClusterArgs = {
      ...cluster.args,
      identity: { type: 'UserAssigned', userAssignedIdentities: [identity.id] },
      agentPoolProfiles: [{ ...cluster.systemPool, vnetSubnetID: subnet.id }],
    };
    return new ManagedCluster(this.name, tuneAzureArgs(args, tune), {
      ...cluster.options,
      parent: this,
      dependsOn: [...needs],
      deleteBeforeReplace: true,
    });
  }

  /** The address and the certificate of the API server, which only this request returns. */
  #kubeconfig({ cluster: { args, name } }: AksPlan): Output<string> {
    const { resourceGroupName, resourceName } = args;
    const opts = { parent: this, dependsOn: [this.cluster] };
    const credentials = listManagedClusterUserCredentialsOutput({ resourceGroupName, resourceName }, opts);
    // With the ID, because a request that a preview skips has no dependencies in the SDK.
    const found = all([credentials, this.cluster.id]);
    return secret(found.apply(([{ kubeconfigs }]) => formatAksKubeconfig(name, kubeconfigs[0]?.value ?? '')));
  }

  #access({ access }: AksPlan, { id: scope }: ManagedCluster): Resource[] {
    // Asked for after the cluster is created, so that a preview of a new cluster needs no credentials.
    const creator = getClientConfigOutput({ parent: this, dependsOn: [this.cluster] }).objectId;
    return access.map(({ name, args, options }) => {
      const principalId = name === CREATOR ? creator : name;
      const assigned = { ...args, principalId, principalType: ANY_PRINCIPAL, scope };
      return new RoleAssignment(resourceNameOf(this.name, name), assigned, { ...options, parent: this });
    });
  }

  #pools({ pools }: AksPlan, { pool: tune }: AksTransform): ReadonlyMap<string, AgentPool> {
    return registerByName(pools, (pool) => {
      const { name, args, options } = pool;
      const poolArgs: AgentPoolArgs = { ...args, vnetSubnetID: this.foundation.subnet.id };
      const change = tune && ((planned: AzureArgs) => tune(planned, name));
      return new AgentPool(resourceNameOf(this.name, name), tuneAzureArgs(poolArgs, change), {
        ...options,
        dependsOn: [this.cluster],
        ...createPoolRequest(this.name, pool, this),
      });
    });
  }

  #storageClass({ storage }: AksPlan, { storageClass: tune }: AksTransform): StorageClass[] {
    if (!storage) return [];
    const name = `${this.name}/StorageClass.${storage.metadata.name}`;
    const { parameters } = storage;
    const address = this.lustre && { 'mgs-ip-address': this.lustre.address };
    const args: StorageClassArgs = { ...storage, parameters: { ...parameters, ...address } };
    return [
      registerStorageClass(name, tune?.(args) ?? args, {
        parent: this,
        provider: this.provider,
        dependsOn: [this.cluster, ...this.access],
      }),
    ];
  }
}
