import type { InferenceCluster } from '../../api/inference-cluster';
import { alignCidr, type Cidr, formatCidr, parseCidr, subrangeOf } from '../../base/cidr';
import { sortUnique } from '../../base/order';

/** Eight zones with 4,091 addresses for nodes and pods each. */
export const EKS_CIDR = '10.0.0.0/16';

/** Letters of zones. A letter has its subnets whether or not it is used, so that a new zone moves no other. */
const LETTERS = 'abcdefgh';
const LETTER_BITS = 3;

/** The letters of zones in regions where they are not the first ones, as accounts see them. */
const LETTERS_OF: Readonly<Record<string, string>> = { 'ap-northeast-1': 'acd', 'ca-central-1': 'abd' };

/** EKS puts a control plane into two zones at least. */
export const MIN_ZONES = 2;

/** A subnet: its range follows from its zone alone. */
export interface EksSubnet {
  readonly name: string;
  readonly zone: string;
  readonly range: Cidr;
}

/** Whether a name is that of a zone of a region, as far as anybody can tell without asking the cloud. */
export function isEksZone(zone: string, region: string): boolean {
  return zone.length === region.length + 1 && zone.startsWith(region) && LETTERS.includes(zone.slice(-1));
}

/** The zones of a cluster. */
export interface EksZones {
  /** All that have subnets. */
  readonly all: readonly string[];

  /** Those of the control plane, of the pool for the cluster itself and, the first, of the way out. */
  readonly control: readonly string[];

  /** Those of `control` that nobody named. */
  readonly added: readonly string[];
}

/**
 * The zones of a cluster: those of its pools, and those that it names for its control plane. Where it names none, that
 * is in those of the pools, and where they are fewer than two, in the first other letters.
 */
export function eksZonesOf({ spec }: InferenceCluster): EksZones {
  const own = new Set(spec.nodePools.flatMap(({ zones }) => zones));
  const { region = '', zones: named } = spec.cluster.eks ?? {};
  const others = [...(LETTERS_OF[region] ?? LETTERS)].map((letter) => `${region}${letter}`);
  const missing = named ? 0 : Math.max(0, MIN_ZONES - own.size);
  const added = others.filter((zone) => !own.has(zone)).slice(0, missing);
  const control = named ?? [...own, ...added];
  return { all: sortUnique([...own, ...control]), control: sortUnique(control), added };
}

/**
 * The subnets of a cluster, one of each kind in each zone. Half of the range is for private ones, where nodes are, an
 * eighth of it for each letter; a quarter is for public ones, where load balancers and the way out are.
 */
export function eksSubnetsOf(cluster: InferenceCluster): { public: EksSubnet[]; private: EksSubnet[] } {
  const all = alignCidr(parseCidr(cluster.spec.network.cidr ?? EKS_CIDR));
  const zones = eksZonesOf(cluster).all;
  const within = (kind: string, part: Cidr): EksSubnet[] =>
    zones.map((zone) => {
      const range = subrangeOf(part, LETTER_BITS, LETTERS.indexOf(zone.slice(-1)));
      return { name: subnetName(kind, zone), zone, range };
    });
  return {
    public: within('public', subrangeOf(all, 2, 0)),
    private: within('private', subrangeOf(all, 1, 1)),
  };
}

/** The name of the subnet for nodes in a zone. */
export function privateSubnetNameOf(zone: string): string {
  return subnetName('private', zone);
}

function subnetName(kind: string, zone: string): string {
  return `${kind}-${zone}`;
}

const SUBNETS = {
  public: { mapPublicIpOnLaunch: true, role: 'kubernetes.io/role/elb' },
  private: { mapPublicIpOnLaunch: false, role: 'kubernetes.io/role/internal-elb' },
} as const;

/** The network of a cluster. Nodes have no public addresses: EKS gives none to those with several network cards. */
export function planEksNetwork(cluster: InferenceCluster, tags: Record<string, string>) {
  const subnets = eksSubnetsOf(cluster);
  const Name = cluster.metadata.name;
  const planned = (['public', 'private'] as const).flatMap((kind) => {
    const { mapPublicIpOnLaunch, role } = SUBNETS[kind];
    return subnets[kind].map(({ name, zone, range }) => ({
      name,
      args: {
        availabilityZone: zone,
        cidrBlock: formatCidr(range),
        mapPublicIpOnLaunch,
        tags: { ...tags, Name: `${Name}-${name}`, [role]: '1' },
      },
      refs: { vpcId: 'vpc' },
    }));
  });
  const cidrBlock = formatCidr(alignCidr(parseCidr(cluster.spec.network.cidr ?? EKS_CIDR)));
  return {
    vpc: {
      name: 'vpc',
      args: {
        cidrBlock,
        enableDnsHostnames: true,
        enableDnsSupport: true,
        tags: { ...tags, Name },
      },
    },
    subnets: planned,
    ...planEksRoutes(subnets, subnetName('public', eksZonesOf(cluster).control[0] ?? ''), tags),
  };
}

/** @param wayOut the subnet of the way out */
function planEksRoutes(
  subnets: ReturnType<typeof eksSubnetsOf>,
  wayOut: string,
  tags: Record<string, string>,
) {
  const destinationCidrBlock = '0.0.0.0/0';
  const kinds = ['public', 'private'] as const;
  return {
    internetGateway: { name: 'internet', args: { tags }, refs: { vpcId: 'vpc' } },
    address: { name: 'nat', args: { domain: 'vpc', tags } },
    // One for all zones: another for each costs more than the traffic of a fallen zone is worth here.
    nat: {
      name: 'nat',
      args: { tags },
      refs: { allocationId: 'nat', subnetId: wayOut },
      // Otherwise a pool in an earlier zone would cut all nodes off while it moves.
      options: { ignoreChanges: ['subnetId'] },
    },
    routeTables: kinds.map((name) => ({ name, args: { tags }, refs: { vpcId: 'vpc' } })),
    routes: [
      {
        name: 'public',
        args: { destinationCidrBlock },
        refs: { routeTableId: 'public', gatewayId: 'internet' },
      },
      {
        name: 'private',
        args: { destinationCidrBlock },
        refs: { routeTableId: 'private', natGatewayId: 'nat' },
      },
    ],
    associations: kinds.flatMap((kind) =>
      subnets[kind].map(({ name }) => ({ name, args: {}, refs: { routeTableId: kind, subnetId: name } })),
    ),
  };
}
