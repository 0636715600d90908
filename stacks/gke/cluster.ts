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
import { planApplySteps } from '../../src/manifest/kubernetes/apply-order';
import type { GkePlan } from '../../src/provision/gke/plan';
import { formatGkeKubeconfig } from '../../src/provision/kubeconfig';
import type { Cluster } from '../cloud/cluster';
import { createClusterProvider, type ProviderTransform } from '../cloud/cluster-provider';
import { type FoundationTransform, type GkeFoundation, registerGkeFoundation } from './foundation';
import { registerObject, registerStorageClass, skipAwait } from '../workloads/kubernetes-objects';
import { createPoolRequest } from '../cloud/pool-request';
import { resourceNameOf } from '../cloud/resource-names';

/** Changes to the parts of a cluster on GKE, each from the planned arguments. */
export interface GkeTransform extends FoundationTransform, ProviderTransform {
  /** Changes the arguments of the control plane. */
  readonly cluster?: (args: ClusterArgs) => ClusterArgs;

  /** Changes the arguments of a pool, by its name. `system` is the pool without GPUs. */
  readonly pool?: (args: NodePoolArgs, name: string) => NodePoolArgs;

  /** Changes the arguments of the storage class that is created where the cluster declares none. */
  readonly storageClass?: (args: StorageClassArgs) => StorageClassArgs;
}

/** Arguments of a `GkeCluster`. */
export interface GkeClusterArgs {
  /** The plan of the cluster, as `gkePlan` returns it. */
  readonly plan: GkePlan;

  /**
   * Changes to the parts of the cluster.
   *
   * @default - none
   */
  readonly transform?: GkeTransform;

  /**
   * The identity of the cluster. Change it when the cluster was rebuilt: everything on it is then created again.
   *
   * @default - its project, location and name
   */
  readonly identity?: string;
}

type PlannedPool = GkePlan['systemPool'] | GkePlan['pools'][number];

/**
 * A cluster on GKE with its network, the service account of its nodes and its pools.
 *
 * Its parts are created in this order: APIs, network, control plane, the pool without GPUs, the pools with GPUs.
 * Everything on the cluster waits for all of them. They are destroyed in reverse order.
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

  /** APIs, network and service account. */
  readonly foundation: GkeFoundation;
  readonly cluster: ControlPlane;

  /** Pools by name, including `system`. */
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

  /** Registers the objects that nodes need before they publish devices. */
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

  /** Registers the pools. The pool without GPUs comes first: GKE then keeps pods without GPUs off the other pools. */
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
