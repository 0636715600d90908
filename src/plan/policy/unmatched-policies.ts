import { clusterLabelsOf, failureDomainsOf, resolveDomainLabel } from '../../api/cluster-labels';
import type { ResourcePath } from '../../api/kinds';
import { REGION_LABEL, SILENCE_ANNOTATION_PREFIX, toCanonicalLabel } from '../../api/labels';
import type { PolicyLimits } from '../../api/policy-file';
import type { Path } from '../../api/resource';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { suggestName } from '../../base/name-suggestion';
import { sortedBy } from '../../base/order';
import { REGIONS } from '../../catalog/regions';
import type { Fleet } from '../../fleet/fleet';
import { EXTENDED_RESOURCES } from '../../fleet/hardware/catalogue-devices';
import type { Policy } from '../../fleet/policy';
import { claimNameOf } from '../../scheduler/compile/compile-clusters';
import { labelsOf, type Limit } from './limits';

/** A name in a policy rule that matches nothing in the fleet. */
interface Unmatched {
  readonly path: Path;
  readonly what: string;

  /** The similar name that was probably meant. */
  readonly meant?: string | undefined;
}

/**
 * Finds names in limits that match nothing in the fleet. These are no mistakes: a forbidden provider that is not used,
 * an allowed region without clusters, and any name if the fleet has no resource of the kind yet.
 */
const UNMATCHED_CHECKS: {
  readonly [K in keyof PolicyLimits]?: (limit: Limit<K>, fleet: Fleet) => Unmatched[];
} = {
  allowedRegions: ({ regions, matchLabels }, fleet) => [
    ...regions.flatMap((region, index) => findMisspeltRegion(region, ['regions', index], regions, fleet)),
    ...findUncarriedLabels(matchLabels, fleet),
  ],
  budget: ({ namespace }, fleet) => findEmptyNamespace(namespace, fleet),
  failureDomains: ({ spreadBy, matchLabels }, fleet) => [
    ...findUnknownDomain(spreadBy, fleet),
    ...findUncarriedLabels(matchLabels, fleet),
  ],
  deviceQuota: ({ namespace, deviceClass }, fleet) => [
    ...findEmptyNamespace(namespace, fleet),
    ...findUnclaimedDeviceClass(deviceClass, fleet),
  ],
};

/** Finds rules that nothing can break. The Fleet resource can silence the warning, as a rule may be for later use. */
export function findUnmatchedPolicies(fleet: Fleet): Diagnostic<ResourcePath>[] {
  const { settings, policies = [] } = fleet;
  if (!settings) return [];
  return policies.flatMap((policy) =>
    findUnmatched(policy, fleet).map(({ path, what, meant }): Diagnostic<ResourcePath> => {
      const hint = meant
        ? `Did you mean '${meant}'?`
        : `Correct the rule, or silence this warning with the annotation ${SILENCE_ANNOTATION_PREFIX}idle-rule of the Fleet`;
      const at = { resource: settings, path: [], where: policy.place(path) };
      return warningAt('idle-rule', at, `rule '${policy.rule.name}': ${what}`, hint);
    }),
  );
}

function findUnmatched({ rule }: Policy, fleet: Fleet): Unmatched[] {
  const findIn = <K extends keyof PolicyLimits>(field: K): Unmatched[] => {
    const limit: PolicyLimits[K] = rule[field];
    const find = UNMATCHED_CHECKS[field] as ((limit: PolicyLimits[K], fleet: Fleet) => Unmatched[]) | undefined;
    if (limit === undefined || !find) return [];
    return find(limit, fleet).map(({ path, ...rest }) => ({ ...rest, path: [field, ...path] }));
  };
  return (Object.keys(UNMATCHED_CHECKS) as (keyof PolicyLimits)[]).flatMap(findIn);
}

/** Reports a region without clusters that no cloud is known to have, if its name is similar to a known region. */
function findMisspeltRegion(region: string, path: Path, allowed: readonly string[], { clusters }: Fleet): Unmatched[] {
  const used = clusters.flatMap((cluster) => clusterLabelsOf(cluster)[REGION_LABEL] ?? []);
  const known = [...used, ...REGIONS.flatMap(({ regions }) => regions)];
  if (known.includes(region)) return [];
  const meant = suggestName(region, known);
  const what = `no cluster is in region '${region}', and no known cloud has it`;
  return meant && !allowed.includes(meant) ? [{ path, what, meant }] : [];
}

function findEmptyNamespace(namespace: string | undefined, fleet: Fleet): Unmatched[] {
  const { deployments, caches, services, endpoints } = fleet;
  const all = [...deployments, ...caches, ...services, ...endpoints];
  const elsewhere = (fleet.otherParts ?? []).flatMap(({ namespaces }) => namespaces.map((one) => one.namespace));
  const known = [...all.flatMap(({ metadata }) => metadata.namespace ?? []), ...elsewhere];
  if (namespace === undefined || known.length === 0 || known.includes(namespace)) return [];
  const what = `the fleet has no resource in namespace '${namespace}'`;
  return [{ path: ['namespace'], what, meant: suggestName(namespace, known) }];
}

function findUnclaimedDeviceClass(deviceClass: string, fleet: Fleet): Unmatched[] {
  const elsewhere = (fleet.otherParts ?? []).flatMap((part) => part.devices.map((one) => one.deviceClass));
  const devices = listClaimedDevices(fleet);
  const known = [...devices.flatMap(({ claimedAs }) => claimedAs), ...elsewhere];
  if (known.length === 0 || known.includes(deviceClass)) return [];
  const what = `no cluster has devices that pods claim as '${deviceClass}'`;
  const same = devices.find(({ names }) => names.includes(deviceClass));
  return [{ path: ['deviceClass'], what, meant: same?.claimedAs ?? suggestName(deviceClass, known) }];
}

/** The devices of each class, by what pods claim on the clusters that have it, with all names that the device has. */
function listClaimedDevices({ classes, clusters }: Fleet): { claimedAs: string; names: string[] }[] {
  return classes.flatMap(({ metadata, spec }) => {
    const having = clusters.filter((one) => one.spec.nodePools.some(({ className }) => className === metadata.name));
    return spec.devices.flatMap((device) => {
      const names = [device.deviceClassName, device.extendedResource, EXTENDED_RESOURCES[device.driver]];
      const supports = having.length > 0 ? having.map((one) => one.spec) : [{ dra: true }];
      return supports.flatMap((support) => {
        const claimedAs = claimNameOf(device, support);
        return claimedAs === undefined ? [] : [{ claimedAs, names: names.filter((name) => name !== undefined) }];
      });
    });
  });
}

function findUnknownDomain(spreadBy: string, { clusters, settings }: Fleet): Unmatched[] {
  const label = resolveDomainLabel(spreadBy, settings);
  const labels = clusters.map(clusterLabelsOf);
  if (labels.length === 0 || labels.some((one) => one[label] !== undefined)) return [];
  const known = [...Object.keys(failureDomainsOf(settings)), ...labels.flatMap((one) => Object.keys(one))];
  const what = `no cluster is in a failure domain '${spreadBy}'`;
  return [{ path: ['spreadBy'], what, meant: suggestName(spreadBy, known) }];
}

/** Reports the first label that no deployment carries, or all labels if no deployment carries all of them. */
function findUncarriedLabels(matchLabels: Readonly<Record<string, string>>, { deployments }: Fleet): Unmatched[] {
  const wanted = sortedBy(Object.entries(matchLabels), ([key]) => key);
  const carried = deployments.map(labelsOf);
  if (carried.length === 0 || carried.some((labels) => wanted.every((one) => hasLabel(labels, one)))) return [];
  const alone = wanted.find((one) => !carried.some((labels) => hasLabel(labels, one)));
  if (!alone) {
    const all = wanted.map((one) => one.join('=')).join(', ');
    return [{ path: ['matchLabels'], what: `no deployment has all labels of ${all}` }];
  }
  const [key, value] = alone;
  const values = carried.flatMap((labels) => labels[toCanonicalLabel(key)] ?? []);
  const keys = carried.flatMap((labels) => Object.keys(labels));
  const meant = values.length > 0 ? suggestName(value, values) : suggestName(key, keys);
  return [{ path: ['matchLabels', key], what: `no deployment has the label ${key}=${value}`, meant }];
}

function hasLabel(labels: Readonly<Record<string, string>>, [key, value]: readonly [string, string]): boolean {
  return labels[toCanonicalLabel(key)] === value;
}
