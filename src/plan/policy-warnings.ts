import type { Fault } from '../api/checks/fault';
import { labelsOf } from '../api/cluster-labels';
import { domainLabel, domainsOf } from '../api/domains';
import { canonicalLabel, REGION, SILENCE } from '../api/labels';
import type { ModelDeployment } from '../api/model-deployment';
import type { Limits } from '../api/policy-file';
import type { Path } from '../api/resource';
import { REGIONS } from '../catalog/regions';
import type { Fleet } from '../fleet';
import { nearest } from '../nearest';
import { sortedBy } from '../order';
import type { Policy } from '../policy/policy';

/** What a rule names, and the fleet does not have. */
interface Unmatched {
  readonly path: Path;
  readonly what: string;

  /** The name that was probably meant. */
  readonly meant?: string | undefined;
}

type Limit<K extends keyof Limits> = NonNullable<Limits[K]>;

/**
 * What limits name that nothing of the fleet is. What nobody uses is no mistake where a rule forbids it, nor a region
 * that is allowed and holds nothing; and where there is nothing of the kind at all, the fleet has yet to come.
 */
const UNMATCHED: { readonly [K in keyof Limits]?: (limit: Limit<K>, fleet: Fleet) => Unmatched[] } = {
  allowedRegions: ({ regions, matchLabels }, fleet) => [
    ...regions.flatMap((region, index) => misspelt(region, ['regions', index], regions, fleet)),
    ...uncarried(matchLabels, fleet),
  ],
  budget: ({ namespace }, fleet) => emptyNamespace(namespace, fleet),
  failureDomains: ({ spreadBy, matchLabels }, fleet) => [
    ...noDomain(spreadBy, fleet),
    ...uncarried(matchLabels, fleet),
  ],
  deviceQuota: ({ namespace, deviceClass }, fleet) => [
    ...emptyNamespace(namespace, fleet),
    ...unclaimed(deviceClass, fleet),
  ],
};

/** Rules that nothing can break as they are written. The Fleet silences them, as a rule may be for what comes. */
export function policyWarnings(fleet: Fleet): Fault[] {
  const { settings, policies = [] } = fleet;
  if (!settings) return [];
  return policies.flatMap((policy) =>
    unmatchedBy(policy, fleet).map(({ path, what, meant }): Fault => {
      const hint = meant
        ? `Did you mean '${meant}'?`
        : `Correct it, or say on the Fleet why it stands: ${SILENCE}idle-rule`;
      const said = { what: `rule '${policy.rule.name}': ${what}`, hint, where: policy.place(path) };
      return { code: 'idle-rule', resource: settings, path: [], ...said };
    }),
  );
}

function unmatchedBy({ rule }: Policy, fleet: Fleet): Unmatched[] {
  const of = <K extends keyof Limits>(field: K): Unmatched[] => {
    const limit: Limits[K] = rule[field];
    const find = UNMATCHED[field] as ((limit: Limits[K], fleet: Fleet) => Unmatched[]) | undefined;
    if (limit === undefined || !find) return [];
    return find(limit, fleet).map(({ path, ...said }) => ({ ...said, path: [field, ...path] }));
  };
  return (Object.keys(UNMATCHED) as (keyof Limits)[]).flatMap(of);
}

/** A region that no cluster is in, that no cloud is known to have, and that is like one of these. */
function misspelt(region: string, path: Path, allowed: readonly string[], { clusters }: Fleet): Unmatched[] {
  const used = clusters.flatMap((cluster) => labelsOf(cluster)[REGION] ?? []);
  const known = [...used, ...REGIONS.flatMap(({ regions }) => regions)];
  if (known.includes(region)) return [];
  const meant = nearest(region, known);
  const what = `no cluster is in region '${region}', and no cloud is known to have it`;
  return meant && !allowed.includes(meant) ? [{ path, what, meant }] : [];
}

function emptyNamespace(namespace: string | undefined, fleet: Fleet): Unmatched[] {
  const { deployments, caches, services, endpoints } = fleet;
  const all = [...deployments, ...caches, ...services, ...endpoints];
  const known = all.flatMap(({ metadata }) => metadata.namespace ?? []);
  if (namespace === undefined || known.length === 0 || known.includes(namespace)) return [];
  const what = `nothing of the fleet is in namespace '${namespace}'`;
  return [{ path: ['namespace'], what, meant: nearest(namespace, known) }];
}

function unclaimed(deviceClass: string, { classes }: Fleet): Unmatched[] {
  const devices = classes.flatMap(({ spec }) => spec.devices);
  const known = devices.flatMap((one) => [one.deviceClassName ?? [], one.extendedResource ?? []].flat());
  if (known.length === 0 || known.includes(deviceClass)) return [];
  const what = `no class has devices that are claimed as '${deviceClass}'`;
  return [{ path: ['deviceClass'], what, meant: nearest(deviceClass, known) }];
}

function noDomain(spreadBy: string, { clusters, settings }: Fleet): Unmatched[] {
  const label = domainLabel(spreadBy, settings);
  const labels = clusters.map(labelsOf);
  if (labels.length === 0 || labels.some((one) => one[label] !== undefined)) return [];
  const known = [...Object.keys(domainsOf(settings)), ...labels.flatMap((one) => Object.keys(one))];
  const what = `no cluster is in a failure domain '${spreadBy}'`;
  return [{ path: ['spreadBy'], what, meant: nearest(spreadBy, known) }];
}

type Labels = Readonly<Record<string, string>>;

/** Labels that no deployment carries: the first that none has, or that none has all of them. */
function uncarried(matchLabels: Readonly<Record<string, string>>, { deployments }: Fleet): Unmatched[] {
  const wanted = sortedBy(Object.entries(matchLabels), ([key]) => key);
  const carried = deployments.map(labelsCarried);
  if (carried.length === 0 || carried.some((labels) => wanted.every((one) => has(labels, one)))) return [];
  const path = ['matchLabels'];
  const alone = wanted.find((one) => !carried.some((labels) => has(labels, one)));
  if (!alone) {
    const all = wanted.map((one) => one.join('=')).join(', ');
    return [{ path, what: `no deployment carries all of ${all}` }];
  }
  const [key, value] = alone;
  const values = carried.flatMap((labels) => labels[canonicalLabel(key)] ?? []);
  const meant =
    values.length > 0
      ? nearest(value, values)
      : nearest(
          key,
          carried.flatMap((labels) => Object.keys(labels)),
        );
  return [{ path: [...path, key], what: `no deployment carries ${key}=${value}`, meant }];
}

/** Its own, and those of its replicas. */
function labelsCarried({ metadata, spec }: ModelDeployment): Labels {
  return { ...metadata.labels, ...spec.template.metadata.labels };
}

function has(labels: Labels, [key, value]: readonly [string, string]): boolean {
  return labels[canonicalLabel(key)] === value;
}
