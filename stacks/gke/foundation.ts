import { Network, type NetworkArgs } from '@pulumi/gcp/compute/network';
import { Router } from '@pulumi/gcp/compute/router';
import { RouterNat } from '@pulumi/gcp/compute/routerNat';
import { Subnetwork, type SubnetworkArgs } from '@pulumi/gcp/compute/subnetwork';
import { IAMMember } from '@pulumi/gcp/projects/iammember';
import { Service } from '@pulumi/gcp/projects/service';
import { Account } from '@pulumi/gcp/serviceaccount/account';
import type { CustomResourceOptions, Resource } from '@pulumi/pulumi';
import type { GkePlan } from '../../src/provision/gke/plan';
import { resourceNameOf } from '../cloud/resource-names';

/** Changes to the foundation of a cluster on GKE. */
export interface FoundationTransform {
  /** Changes the arguments of the network. */
  readonly network?: (args: NetworkArgs) => NetworkArgs;

  /** Changes the arguments of the subnet. */
  readonly subnet?: (args: SubnetworkArgs) => SubnetworkArgs;
}

/** The resources that a cluster on GKE depends on. */
export interface GkeFoundation {
  readonly network: Network;
  readonly subnet: Subnetwork;
  readonly account: Account;

  /** The resources that the cluster waits for. */
  readonly needs: readonly Resource[];
}

/**
 * Registers APIs, network and service account. Names are fixed, so a replacement deletes the old resource before it
 * creates the new one.
 */
export function registerGkeFoundation(
  cluster: string,
  plan: GkePlan,
  transform: FoundationTransform,
  parent: Resource,
): GkeFoundation {
  const named = (part: string): string => resourceNameOf(cluster, part);
  const after = (...dependsOn: readonly Resource[]): CustomResourceOptions => {
    return { parent, dependsOn: [...dependsOn], deleteBeforeReplace: true };
  };
  const apis = plan.services.map(({ name, args }) => new Service(named(name), args, { parent }));
  const network = new Network(cluster, transform.network?.(plan.network.args) ?? plan.network.args, after(...apis));
  const subnet = new Subnetwork(cluster, transform.subnet?.(plan.subnet.args) ?? plan.subnet.args, after(network));
  const account = new Account(named('nodes'), plan.account.args, after(...apis));
  const roles = plan.roles.map(({ name, args }) => new IAMMember(named(name), args, after(account)));
  return { network, subnet, account, needs: [subnet, ...roles, ...registerNat()] };

  function registerNat(): Resource[] {
    if (!plan.router || !plan.nat) return [];
    const router = new Router(cluster, plan.router.args, after(network));
    return [new RouterNat(cluster, plan.nat.args, after(router, subnet))];
  }
}
