import { Eip } from '@pulumi/aws/ec2/eip';
import { InternetGateway } from '@pulumi/aws/ec2/internetGateway';
import { NatGateway } from '@pulumi/aws/ec2/natGateway';
import { Route } from '@pulumi/aws/ec2/route';
import { RouteTable } from '@pulumi/aws/ec2/routeTable';
import { RouteTableAssociation } from '@pulumi/aws/ec2/routeTableAssociation';
import { Subnet, type SubnetArgs } from '@pulumi/aws/ec2/subnet';
import { Vpc, type VpcArgs } from '@pulumi/aws/ec2/vpc';
import type { Resource } from '@pulumi/pulumi';
import type { EksPlan } from '../../src/provision/eks/plan';
import { getByName, registerByName, resourceNameOf } from '../cloud/resource-names';

/** The cluster, the region and the parent of resources of a cluster on EKS. */
export interface EksScope {
  /** The name of the cluster. */
  readonly cluster: string;
  readonly region: string;
  readonly parent: Resource;
}

/** Changes to the network of a cluster on EKS. */
export interface NetworkTransform {
  /** Changes the arguments of the VPC. */
  readonly vpc?: (args: VpcArgs) => VpcArgs;

  /** Changes the arguments of a subnet, by its name: `private-us-east-1a`. */
  readonly subnet?: (args: SubnetArgs, name: string) => SubnetArgs;
}

/** The network of a cluster on EKS. */
export interface EksNetwork {
  readonly vpc: Vpc;

  /** Subnets by name. */
  readonly subnets: ReadonlyMap<string, Subnet>;

  /** The routes by which nodes reach the internet to load images and models. */
  readonly wayOut: readonly Resource[];
}

/** Registers the network of a cluster. */
export function registerEksNetwork(plan: EksPlan, scope: EksScope, transform: NetworkTransform): EksNetwork {
  const { cluster, region, parent } = scope;
  const vpcArgs = { ...plan.vpc.args, region };
  const vpc = new Vpc(cluster, transform.vpc?.(vpcArgs) ?? vpcArgs, { parent });
  const subnets = registerByName(plan.subnets, ({ name, args }) => {
    const subnetArgs = { ...args, region, vpcId: vpc.id };
    const tuned = transform.subnet?.(subnetArgs, name) ?? subnetArgs;
    return new Subnet(resourceNameOf(cluster, name), tuned, { parent });
  });
  return { vpc, subnets, wayOut: registerRoutes(plan, scope, { vpc, subnets }) };
}

/** Registers routes, their gateways and tables. A network can be deleted only after everything in it. */
function registerRoutes(
  plan: EksPlan,
  { cluster, region, parent }: EksScope,
  { vpc, subnets }: Pick<EksNetwork, 'vpc' | 'subnets'>,
): Resource[] {
  const nameOf = (part: string): string => resourceNameOf(cluster, part);
  const inVpc = { region, vpcId: vpc.id };
  const gateway = new InternetGateway(cluster, { ...plan.internetGateway.args, ...inVpc }, { parent });
  const address = new Eip(cluster, { ...plan.address.args, region }, { parent, dependsOn: [gateway] });
  const tables = registerByName(
    plan.routeTables,
    ({ name, args }) => new RouteTable(nameOf(name), { ...args, ...inVpc }, { parent }),
  );
  const nat = new NatGateway(
    cluster,
    {
      ...plan.nat.args,
      region,
      allocationId: address.id,
      subnetId: getByName(subnets, plan.nat.refs.subnetId).id,
    },
    // The address is free only after the old gateway is deleted.
    { ...plan.nat.options, parent, dependsOn: [gateway], deleteBeforeReplace: true },
  );
  const routes = plan.routes.map(({ name, args, refs }) => {
    const target = 'gatewayId' in refs ? { gatewayId: gateway.id } : { natGatewayId: nat.id };
    const routeTableId = getByName(tables, refs.routeTableId).id;
    return new Route(nameOf(name), { ...args, ...target, region, routeTableId }, { parent });
  });
  const associations = plan.associations.map(({ name, refs }) => {
    const routeTableId = getByName(tables, refs.routeTableId).id;
    const subnetId = getByName(subnets, refs.subnetId).id;
    return new RouteTableAssociation(nameOf(name), { region, routeTableId, subnetId }, { parent });
  });
  return [...routes, ...associations];
}
