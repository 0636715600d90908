import type { InferenceCluster } from '../../api/inference-cluster';
import { alignRange, formatIpRange, type IpRange, parseIpRange, subrangeOf } from '../../base/ip-range';
import { sortUnique } from '../../base/order';

/** The default range: eight zones with 4,091 addresses each for nodes and pods. */
export const EKS_CIDR = '10.0.0.0/16';

/** The letters of zones. Each letter has a fixed range, so that an additional zone does not move other subnets. */
const LETTERS = 'abcdefgh';
const LETTER_BITS = 3;

/** The first zone letters in regions where they are not a, b and c, as accounts see them. */
const LETTERS_OF: Readonly<Record<string, string>> = { 'ap-northeast-1': 'acd', 'ca-central-1': 'abd' };

/** The minimum number of zones of an EKS control plane. */
export const MIN_ZONES = 2;

/** A subnet. Its range depends only on its zone. */
interface EksSubnet {
  readonly name: string;
  readonly zone: string;
  readonly range: IpRange;
}

/** Whether a name has the format of a zone in a region. It does not check that the zone exists. */
export function isEksZone(zone: string, region: string): boolean {
  return zone.length === region.length + 1 && zone.startsWith(region) && LETTERS.includes(zone.slice(-1));
}

interface EksZones {
  readonly all: readonly string[];

  /** The zones of the control plane and the system pool. The NAT gateway is in the first of them. */
  readonly control: readonly string[];

  /** The zones of `control` that were chosen automatically. */
  readonly added: readonly string[];
}

/**
 * Returns the zones of a cluster: the zones of its pools, and the declared zones of its control plane. By default the
 * control plane is in the zones of the pools, and in the first other zones if there are fewer than two.
 */
export function eksZonesOf({ spec }: InferenceCluster): EksZones {
  const poolZones = new Set(spec.nodePools.flatMap(({ zones }) => zones));
  const { region = '', zones: declared } = spec.cluster.eks ?? {};
  const candidates = [...(LETTERS_OF[region] ?? LETTERS)].map((letter) => `${region}${letter}`);
  const missing = declared ? 0 : Math.max(0, MIN_ZONES - poolZones.size);
  const added = candidates.filter((zone) => !poolZones.has(zone)).slice(0, missing);
  const control = declared ?? [...poolZones, ...added];
  return { all: sortUnique([...poolZones, ...control]), control: sortUnique(control), added };
}

/**
 * Returns the subnets of a cluster, one public and one private subnet in each zone. Half of the range is for private
 * subnets with nodes, an eighth of the half per letter. A quarter is for public subnets with load balancers and the NAT
 * gateway.
 */
export function eksSubnetsOf(cluster: InferenceCluster): { public: EksSubnet[]; private: EksSubnet[] } {
  const all = rangeOf(cluster);
  const zones = eksZonesOf(cluster).all;
  const subnetsIn = (kind: string, part: IpRange): EksSubnet[] =>
    zones.map((zone) => {
      const range = subrangeOf(part, LETTER_BITS, LETTERS.indexOf(zone.slice(-1)));
      return { name: `${kind}-${zone}`, zone, range };
    });
  return {
    public: subnetsIn('public', subrangeOf(all, 2, 0)),
    private: subnetsIn('private', subrangeOf(all, 1, 1)),
  };
}

function rangeOf({ spec }: InferenceCluster): IpRange {
  return alignRange(parseIpRange(spec.network.cidr ?? EKS_CIDR));
}

/** Returns the name of the node subnet of a zone. */
export function privateSubnetNameOf(zone: string): string {
  return `private-${zone}`;
}

const SUBNETS = {
  public: { mapPublicIpOnLaunch: true, role: 'kubernetes.io/role/elb' },
  private: { mapPublicIpOnLaunch: false, role: 'kubernetes.io/role/internal-elb' },
} as const;

const SUBNET_KINDS = ['public', 'private'] as const;

/** Plans the network of a cluster. EKS gives no public addresses to nodes with several network cards. */
export function planEksNetwork(cluster: InferenceCluster, tags: Record<string, string>) {
  const subnets = eksSubnetsOf(cluster);
  const Name = cluster.metadata.name;
  const cidrBlock = formatIpRange(rangeOf(cluster));
  return {
    vpc: {
      name: 'vpc',
      args: { cidrBlock, enableDnsHostnames: true, enableDnsSupport: true, tags: { ...tags, Name } },
    },
    subnets: SUBNET_KINDS.flatMap((kind) => {
      const { mapPublicIpOnLaunch, role } = SUBNETS[kind];
      return subnets[kind].map(({ name, zone, range }) => ({
        name,
        args: {
          availabilityZone: zone,
          cidrBlock: formatIpRange(range),
          mapPublicIpOnLaunch,
          tags: { ...tags, Name: `${Name}-${name}`, [role]: '1' },
        },
        refs: { vpcId: 'vpc' },
      }));
    }),
    ...planEksRoutes(subnets, `public-${eksZonesOf(cluster).control[0] ?? ''}`, tags),
  };
}

function planEksRoutes(subnets: ReturnType<typeof eksSubnetsOf>, natSubnet: string, tags: Record<string, string>) {
  const args = { destinationCidrBlock: '0.0.0.0/0' };
  return {
    internetGateway: { name: 'internet', args: { tags }, refs: { vpcId: 'vpc' } },
    address: { name: 'nat', args: { domain: 'vpc', tags } },
    // One gateway serves all zones: a gateway per zone costs more than the egress of a failed zone is worth.
    nat: {
      name: 'nat',
      args: { tags },
      refs: { allocationId: 'nat', subnetId: natSubnet },
      // Otherwise a new pool in an earlier zone would move the gateway, and all nodes would lose egress during the
      // move.
      options: { ignoreChanges: ['subnetId'] },
    },
    routeTables: SUBNET_KINDS.map((name) => ({ name, args: { tags }, refs: { vpcId: 'vpc' } })),
    routes: [
      { name: 'public', args, refs: { routeTableId: 'public', gatewayId: 'internet' } },
      { name: 'private', args, refs: { routeTableId: 'private', natGatewayId: 'nat' } },
    ],
    associations: SUBNET_KINDS.flatMap((kind) =>
      subnets[kind].map(({ name }) => ({ name, args: {}, refs: { routeTableId: kind, subnetId: name } })),
    ),
  };
}
