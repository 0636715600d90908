import { type ClusterArgs, Cluster as ControlPlane } from '@pulumi/gcp/container/cluster';
import { NodePool, type NodePoolArgs } from '@pulumi/gcp/container/nodePool';
import type { Provider } from '@pulumi/kubernetes/provider';
import type { StorageClass, StorageClassArgs } from '@pulumi/kubernetes/storage/v1/storageClass';
import {
  all,
  ComponentResource,
  type ComponentResourceOptions,
  type CustomResourceOptions,
  type Output,
  type Resource,
  secret,
} from '@pulumi/pulumi';
import { planApplySteps } from '../src/manifest/kubernetes/apply-order';
import type { GkePlan } from '../src/provision/gke/plan';
import { formatGkeKubeconfig } from '../src/provision/kubeconfig';
import type { Cluster } from './cluster';
import { createClusterProvider, type ProviderTransform } from './cluster-provider';
import { type FoundationTransform, type GkeFoundation, registerGkeFoundation } from './gke-foundation';
import { registerObject, registerStorageClass, skipAwait } from './kubernetes-objects';
import { createPoolRequest } from './pool-request';
import { resourceNameOf } from './resource-names';

/** Changes to what a cluster on GKE is made of, each from the arguments that were planned. */
export interface GkeTransform extends FoundationTransform, ProviderTransform {
  /** Arguments of the cluster itself. */
  readonly cluster?: (args: ClusterArgs) => ClusterArgs;

  /** Arguments of a pool, by its name; `system` is the one without GPUs. */
  readonly pool?: (args: NodePoolArgs, name: string) => NodePoolArgs;

  /** Arguments of the storage class that is made where the cluster names none. */
  readonly storageClass?: (args: StorageClassArgs) => StorageClassArgs;
}

/** Arguments of a `GkeCluster`. */
export interface GkeClusterArgs {
  /** What to make, as `gkePlan` plans it. */
  readonly plan: GkePlan;

  /**
   * What to change of it.
   *
   * @default - nothing
   */
  readonly transform?: GkeTransform;

  /**
   * What makes it the same cluster. Change it when the cluster was built anew: everything on it is then made again.
   *
   * @default - its project, location and name
   */
  readonly identity?: string;
}

type PlannedPool = GkePlan['systemPool'] | GkePlan['pools'][number];

/**
 * A cluster on GKE with its network, the account of its nodes and its pools.
 *
 * It comes in the order of its parts: APIs, network, cluster, the pool without GPUs, then those with, and everything
 * on it waits for all of them. It is destroyed the other way round.
 *
 * @example
 * const us = new GkeCluster('us', { plan: gkePlan(cluster, fleet, 'my-project') });
 * us.pools.get('l4')?.instanceGroupUrls;
 */
export class GkeCluster extends ComponentResource implements Cluster {
  readonly name: string;
  readonly provider: Provider;
  readonly hasLoadBalancers = true;
  readonly kubeconfig: Output<string>;
  readonly dependencies: readonly Resource[];

  /** APIs, network and account. */
  readonly foundation: GkeFoundation;
  readonly cluster: ControlPlane;

  /** By name, `system` too. */
  readonly pools: ReadonlyMap<string, NodePool>;

  /** @param name the name of its InferenceCluster */
  constructor(name: string, args: GkeClusterArgs, opts?: ComponentResourceOptions) {
    super('fleetwright:index:GkeCluster', name, {}, opts);
    const { plan, transform = {}, identity = identityOf(plan) } = args;
    this.name = name;
    this.foundation = registerGkeFoundation(name, plan, transform, this);
    const planned = plan.cluster.args;
    this.cluster = new ControlPlane(name, transform.cluster?.(planned) ?? planned, {
      ...plan.cluster.options,
      ...this.#after(...this.foundation.needs),
      deleteBeforeReplace: true,
    });
    this.kubeconfig = this.#kubeconfig(plan.cluster.name);
    this.provider = createClusterProvider(name, { kubeconfig: this.kubeconfig, identity }, transform, this);
    const objects = [...this.#installers(plan), ...this.#storageClass(plan, transform)];
    this.pools = this.#pools(args, objects);
    this.dependencies = [...this.pools.values(), ...objects];
    this.registerOutputs({ kubeconfig: this.kubeconfig });
  }

  #kubeconfig(name: string): Output<string> {
    const { endpoint, masterAuth } = this.cluster;
    return secret(
      all([endpoint, masterAuth]).apply(([address, { clusterCaCertificate }]) =>
        formatGkeKubeconfig({ name, server: `https://${address}`, certificate: clusterCaCertificate }),
      ),
    );
  }

  /** What nodes need before they have devices. */
  #installers({ manifests }: GkePlan): Resource[] {
    const opts = { ...this.#after(this.cluster), parent: this, provider: this.provider };
    return planApplySteps(manifests).map(({ id, manifest }) =>
      registerObject(`${this.name}/${id}`, skipAwait(manifest), opts),
    );
  }

  #storageClass({ storage }: GkePlan, { storageClass: tune }: GkeTransform): StorageClass[] {
    if (!storage) return [];
    const { manifest } = storage;
    const args: StorageClassArgs = { ...manifest, apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass' };
    return [
      registerStorageClass(`${this.name}/StorageClass.${manifest.metadata.name}`, tune?.(args) ?? args, {
        ...this.#after(this.cluster),
        provider: this.provider,
      }),
    ];
  }

  /** GKE keeps pods without GPUs off pools that come after one without. */
  #pools({ plan, transform }: GkeClusterArgs, objects: readonly Resource[]): Map<string, NodePool> {
    const register = (pool: PlannedPool, needs: readonly Resource[]): NodePool => {
      const { name, args, options } = pool;
      return new NodePool(resourceNameOf(this.name, name), transform?.pool?.(args, name) ?? args, {
        ...options,
        ...this.#after(...needs),
        ...('machines' in pool && createPoolRequest(this.name, pool, this)),
      });
    };
    const system = register(plan.systemPool, [this.cluster, ...this.foundation.needs]);
    const others = plan.pools.map((pool) => [pool.name, register(pool, [system, ...objects])] as const);
    return new Map([[plan.systemPool.name, system], ...others]);
  }

  #after(...dependsOn: readonly Resource[]): Required<Pick<CustomResourceOptions, 'parent' | 'dependsOn'>> {
    return { parent: this, dependsOn: [...dependsOn] };
  }
}

function identityOf({ cluster: { args } }: GkePlan): string {
  return `gke/${args.project}/${args.location}/${args.name}`;
}
