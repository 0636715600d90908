import { clusterLabelsOf, resolveDomainLabel } from '../../api/cluster-labels';
import type { Resource } from '../../api/kinds';
import { findUnmetRequirement } from '../../api/label-matching';
import { REGION_LABEL } from '../../api/labels';
import type { ModelDeployment } from '../../api/model-deployment';
import type { PolicyLimits } from '../../api/policy-file';
import { type Path, qualifiedNameOf } from '../../api/resource';
import { formatAmount, formatUnitPrice, roundEstimate } from '../../base/money';
import { sortUnique } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import type { Cost } from '../../cost/cost';
import type { Sum } from '../../cost/sum';
import { countUnpriced, formatWithoutPrice, type UnpricedParts } from '../../cost/unpriced-text';
import type { Fleet } from '../../fleet/fleet';
import type { PartSummary } from '../../fleet/part-summary';
import type { LimitEdit } from '../../fleet/policy';
import { groupByDeployment, type Placement } from '../../scheduler/placement';
import type { Totals } from '../plan';

/** The data that policy rules are checked against. */
export interface PolicyInput {
  readonly fleet: Fleet;
  readonly placements: readonly Placement[];
  readonly totals: Pick<Totals, 'move'>;
  readonly cost: Cost;

  /** The cost in which parts without a known price have that of another region. Absent: all are known, or none is there. */
  readonly estimate?: Cost;

  /** Devices that replicas hold, without those for rollouts, by namespace and device class. */
  readonly devices: readonly {
    readonly namespace: string;
    readonly deviceClass: string;
    readonly count: number;
    readonly draining?: true;

    /** The deployment and the replica that hold them. Absent: those of another part of the fleet. */
    readonly deployment?: string;
    readonly replica?: string;

    /** Set for the devices of copies beyond the fewest that an autoscaler keeps. */
    readonly scaled?: true;
  }[];
}

/** A breach of a limit. Without `at`, the breach is one of the fleet as a whole. */
export interface LimitViolation {
  readonly what: string;
  readonly at?: { readonly resource: Resource; readonly path: Path };

  /** The use of devices or money, of a limit on that. */
  readonly use?: number;

  /** Set for a breach that never denies a plan, such as an uncertain one because prices are missing. */
  readonly onlyWarns?: true;

  /** What is not known, where what is known is far below the limit. Absent: it is exceeded, or may be. */
  readonly unsure?: string;

  /** How far the limit is exceeded, to compare breaches of a rule with. Absent: it depends on declarations alone. */
  readonly excess?: number;

  /** The value of the limit that is not exceeded. Absent: none. */
  readonly allow?: LimitEdit;

  /** What meets the limit, besides another limit: `Use 2 devices less`. Absent: to change what `at` names. */
  readonly remedy?: string;
}

/** The value of a limit. */
export type Limit<K extends keyof PolicyLimits> = NonNullable<PolicyLimits[K]>;

type Checks<Fields extends keyof PolicyLimits, Input> = {
  readonly [K in Fields]-?: (limit: Limit<K>, input: Input) => LimitViolation[];
};

/** Finds the breaches of each limit that only declarations decide, wherever their replicas are. */
const DECLARATION_CHECKS: Checks<
  'noPublicGateway' | 'pinnedImages' | 'forbiddenProviders',
  Pick<PolicyInput, 'fleet'>
> = {
  noPublicGateway: (_, { fleet }) =>
    fleet.gateways
      .filter(({ spec }) => spec.public !== false)
      .map((gateway) => breachAt(gateway, ['spec', 'public'], `gateway ${gateway.metadata.name} is public`)),
  pinnedImages: (_, { fleet }) => fleet.deployments.flatMap(findUnpinnedImages),
  forbiddenProviders: (providers, { fleet }) =>
    fleet.clusters
      .filter(({ spec }) => providers.includes(spec.cluster.source))
      .map((cluster) => {
        const { source } = cluster.spec.cluster;
        return breachAt(cluster, ['spec', 'cluster', 'source'], `cluster ${cluster.metadata.name} is on ${source}`);
      }),
};

/** The share of a budget up to which an estimate is no reason to worry. */
const FAR_BELOW = 0.9;

/** Finds the breaches of each limit. */
export const LIMIT_CHECKS: Checks<keyof PolicyLimits, PolicyInput> = {
  allowedRegions: ({ regions, matchLabels }, { fleet, placements }) => {
    const regionOf = new Map(fleet.clusters.map((one) => [one.metadata.name, clusterLabelsOf(one)[REGION_LABEL]]));
    return deploymentsMatching(fleet, matchLabels).flatMap((deployment) => {
      const outside = clustersOf(deployment, placements).filter((name) => !regions.includes(regionOf.get(name) ?? ''));
      if (outside.length === 0) return [];
      const where = outside.map((name) => `${name} (${regionOf.get(name) ?? 'no region'})`).join(', ');
      const what = `${qualifiedNameOf(deployment)} is on ${where}, and may run only in ${regions.join(', ')}`;
      const further = outside.map((name) => regionOf.get(name));
      const add = sortUnique(further.flatMap((region) => region ?? []));
      const allow = !further.includes(undefined) && { allow: { field: 'allowedRegions.regions', add } };
      return [
        { ...breachAt(deployment, ['spec'], what), excess: countReplicasOn(outside, deployment, placements), ...allow },
      ];
    });
  },
  budget: ({ namespace, perMonth }, { cost, estimate, fleet, placements }) => {
    const total = totalFor(cost, fleet, namespace);
    const whose = describeScope(namespace, fleet);
    const most = `${formatAmount(perMonth, cost.currency)} a month`;
    const known = total.perMonth;
    const noun = unpricedPartsOf(cost, fleet, namespace);
    if (known > perMonth) {
      // Figures that are rounded to the same text do not show what is wrong.
      const rounded = formatAmount(known, cost.currency);
      const exact = `${whose} costs ${total.unknown > 0 ? 'at least ' : ''}${formatUnitPrice(known - perMonth, cost.currency)} more than ${most}`;
      const least = total.unknown === 0 ? rounded : `at least ${rounded} (${formatWithoutPrice(total.unknown, noun)})`;
      const what = most.startsWith(rounded) ? exact : `${whose} costs ${least}, and the limit is ${most}`;
      const allow = { field: 'budget.perMonth', from: perMonth, to: Math.ceil(known) };
      const idle = namespace === undefined ? formatIdle(cost) : '';
      return [{ what: `${what}${idle}`, use: known, excess: known - perMonth, allow }];
    }
    if (total.unknown === 0) return [];
    const parts = `${countUnpriced(total.unknown, noun)} ${total.unknown === 1 ? 'has' : 'have'}`;
    const about = estimate && totalFor(estimate, fleet, namespace);
    if (about?.unknown !== 0)
      return [{ what: `it is unknown whether ${whose} costs more than ${most}: ${parts} no price`, onlyWarns: true }];
    const amount = `about ${formatAmount(roundEstimate(about.perMonth), cost.currency)}`;
    const why = `${parts} no price; ${amount} with prices of other regions`;
    if (about.perMonth <= perMonth * FAR_BELOW) {
      const prices = countPrices(total.unknown, listUnpriced(cost, placements, namespace));
      const unsure = `${prices}, ${amount} of at most ${most}`;
      return [{ what: `it is uncertain whether ${whose} costs more than ${most}: ${why}`, unsure, onlyWarns: true }];
    }
    const costs = about.perMonth > perMonth ? `${whose} probably costs` : `it is uncertain whether ${whose} costs`;
    return [{ what: `${costs} more than ${most}: ${why}`, onlyWarns: true }];
  },
  failureDomains: ({ spreadBy, least, matchLabels }, { fleet, placements }) => {
    const label = resolveDomainLabel(spreadBy, fleet.settings);
    const domainOf = new Map(fleet.clusters.map((one) => [one.metadata.name, clusterLabelsOf(one)[label]]));
    return deploymentsMatching(fleet, matchLabels).flatMap((deployment) => {
      const clusters = clustersOf(deployment, placements);
      const domains = new Set(clusters.flatMap((name) => domainOf.get(name) ?? []));
      if (clusters.length === 0 || domains.size >= least) return [];
      const what = `${qualifiedNameOf(deployment)} is in ${domains.size} domains of ${spreadBy}, and must be in at least ${least}`;
      const allow = domains.size > 0 && { allow: { field: 'failureDomains.least', from: least, to: domains.size } };
      return [{ ...breachAt(deployment, ['spec'], what), excess: least - domains.size, ...allow }];
    });
  },
  deviceQuota: ({ namespace, deviceClass, most }, { devices, fleet }) => {
    const own = (one: PolicyInput['devices'][number]): boolean =>
      one.deviceClass === deviceClass && (namespace === undefined || one.namespace === namespace);
    const counted: PolicyInput['devices'] = [
      ...devices.filter(own),
      ...(fleet.otherParts ?? []).flatMap((part) => part.devices.filter(own)),
    ];
    const held = sumCounts(counted);
    if (held <= most) return [];
    const what = `${describeScope(namespace, fleet)} uses ${held} of ${deviceClass}${formatTemporary(counted)}, and the limit is ${most}`;
    const fewer = counted.some((one) => one.scaled) ? 'replicas, copies or devices' : 'replicas or devices';
    const remedy = `Use ${held - most} less, with fewer ${fewer} for each`;
    const allow = { field: 'deviceQuota.most', from: most, to: held };
    return [{ what, use: held, excess: held - most, allow, remedy }];
  },
  moves: ({ most }, { totals: { move } }) => {
    if (move <= most) return [];
    const [moves, are] = move === 1 ? ['moves', 'is'] : ['move', 'are'];
    const moved = `${pluralize(move, 'replica')} ${moves}, or ${are} rolled in place with a new shape`;
    const what = `${moved}, and the limit for one change is ${most}`;
    const allow = { field: 'moves.most', from: most, to: move };
    return [{ what, excess: move - most, allow, remedy: 'Split the change into several' }];
  },
  ...DECLARATION_CHECKS,
};

export function sumCounts(devices: PolicyInput['devices']): number {
  return devices.reduce((sum, { count }) => sum + count, 0);
}

/** `(8 of them in draining replicas, 3 in copies that scaling may add)`. Empty if all stay. */
function formatTemporary(devices: PolicyInput['devices']): string {
  const parts = [
    { count: sumCounts(devices.filter((one) => one.draining)), where: 'draining replicas' },
    { count: sumCounts(devices.filter((one) => one.scaled && !one.draining)), where: 'copies that scaling may add' },
  ].filter(({ count }) => count > 0);
  if (parts.length === 0) return '';
  return ` (${parts.map(({ count, where }, i) => `${count} ${i === 0 ? 'of them ' : ''}in ${where}`).join(', ')})`;
}

function breachAt(resource: Resource, path: Path, what: string): LimitViolation {
  return { what, at: { resource, path } };
}

/** The deployments that carry labels, on themselves or on their replicas. */
function deploymentsMatching({ deployments }: Fleet, matchLabels: Readonly<Record<string, string>>): ModelDeployment[] {
  return deployments.filter((one) => !findUnmetRequirement({ matchLabels, matchExpressions: [] }, labelsOf(one)));
}

/** The labels of a deployment and those of its replicas. */
export function labelsOf({ metadata, spec }: ModelDeployment): Readonly<Record<string, string>> {
  return { ...metadata.labels, ...spec.template.metadata.labels };
}

/** The clusters with replicas of a deployment, each once. Draining replicas do not count. */
function clustersOf(deployment: ModelDeployment, placements: readonly Placement[]): string[] {
  return sortUnique(listClustersOfReplicas(deployment, placements));
}

function countReplicasOn(
  clusters: readonly string[],
  deployment: ModelDeployment,
  placements: readonly Placement[],
): number {
  return listClustersOfReplicas(deployment, placements).filter((cluster) => clusters.includes(cluster)).length;
}

function listClustersOfReplicas(deployment: ModelDeployment, placements: readonly Placement[]): string[] {
  const own = groupByDeployment(placements).get(qualifiedNameOf(deployment)) ?? [];
  return own.flatMap(({ cluster, draining }) => (draining ? [] : [cluster]));
}

function describeScope(namespace: string | undefined, { otherParts = [] }: Fleet): string {
  const whose = namespace === undefined ? 'the fleet' : `namespace ${namespace}`;
  return otherParts.length === 0 ? whose : `${whose} with ${pluralize(otherParts.length, 'other part')}`;
}

/** What the other parts of a split fleet cost, or a namespace there. */
function costsElsewhere({ otherParts = [] }: Fleet, namespace: string | undefined): KnownCost[] {
  if (namespace === undefined) return [...otherParts];
  return otherParts.flatMap(({ namespaces }) => namespaces.filter((one) => one.namespace === namespace));
}

type KnownCost = Pick<PartSummary, 'perMonth' | 'unknown'>;

function addOtherParts({ perMonth = 0, unknown }: Sum, others: readonly KnownCost[]): KnownCost {
  const sum = (of: keyof KnownCost): number => others.reduce((total, one) => total + one[of], 0);
  return { perMonth: perMonth + sum('perMonth'), unknown: unknown + sum('unknown') };
}

/** What a namespace, or the fleet, costs at the most, with the other parts of a split fleet. */
function totalFor(cost: Cost, fleet: Fleet, namespace: string | undefined): KnownCost {
  const own = namespace === undefined ? cost.total.most : totalOfNamespace(cost, namespace);
  return addOtherParts(own, costsElsewhere(fleet, namespace));
}

/** What has no price. It is not known of the other parts of a split fleet. */
function unpricedPartsOf(
  cost: Cost,
  { otherParts = [] }: Fleet,
  namespace: string | undefined,
): UnpricedParts | undefined {
  if (namespace !== undefined) return 'part';
  return otherParts.length > 0 ? undefined : { volumes: cost.storage.unknown };
}

/** `1 price unknown (state that of us/l4)`. Not where some are of other parts, and have no name. */
function countPrices(unknown: number, names: readonly string[]): string {
  const which = names.length === 1 ? 'that' : 'those';
  const hint = names.length === unknown ? ` (state ${which} of ${joinNames(names, MAX_NAMED)})` : '';
  return `${pluralize(unknown, 'price')} unknown${hint}`;
}

/** The pools and volumes without a price that a namespace, or the fleet, uses in this part: `us/l4`. */
function listUnpriced({ clusters }: Cost, placements: readonly Placement[], namespace: string | undefined): string[] {
  const isOwn = (id: string): boolean => namespace === undefined || id.startsWith(`${namespace}/`);
  const used = placements.filter(({ deployment }) => isOwn(deployment));
  return clusters.flatMap(({ cluster, pools, volumes }) => [
    ...pools
      .filter(
        ({ price, pool }) => !price && (namespace === undefined || used.some((one) => usesPool(one, cluster, pool))),
      )
      .map(({ pool }) => `${cluster}/${pool}`),
    ...volumes
      .filter(({ price, cache }) => !price && isOwn(cache))
      .map(({ cache }) => `the volume of ${cache} on ${cluster}`),
  ]);
}

function usesPool({ cluster, pools }: Placement, name: string, pool: string): boolean {
  return cluster === name && Object.values(pools).includes(pool);
}

/** The most pools and volumes to name. */
const MAX_NAMED = 3;

/** `; $14,768 of it is idle`: what removing nodes saves. Empty where none is. */
function formatIdle({ idle, currency }: Cost): string {
  const { perMonth = 0 } = idle;
  return perMonth > 0 ? `; ${formatAmount(perMonth, currency)} of it is idle` : '';
}

function totalOfNamespace({ namespaces }: Cost, namespace: string): Cost['namespaces'][number]['total'] {
  const found = namespaces.find((one) => one.namespace === namespace);
  return found?.total ?? { perHour: 0, perMonth: 0, unknown: 0 };
}

function findUnpinnedImages(deployment: ModelDeployment): LimitViolation[] {
  return deployment.spec.template.spec.engines.flatMap(({ members }, e) =>
    members.flatMap(({ template }, m) =>
      template.spec.containers.flatMap(({ name, image }, c): LimitViolation[] => {
        if (image.includes('@sha256:')) return [];
        const member = ['spec', 'template', 'spec', 'engines', e, 'members', m];
        const what = `container ${name} of ${qualifiedNameOf(deployment)} runs ${image}, without a digest`;
        return [breachAt(deployment, [...member, 'template', 'spec', 'containers', c, 'image'], what)];
      }),
    ),
  );
}
