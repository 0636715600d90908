import type { FleetSettings } from '../../api/fleet-settings';
import { type Resource, resourceIdOf, type ResourcePath } from '../../api/kinds';
import { isDeepEqual } from '../../base/deep-equal';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { describeUnknownReference, type FleetCheck } from './fleet-check';

/** Checks that what the Fleet adds is about declared resources, and that these do not say otherwise themselves. */
export const checkAdditions: FleetCheck = function* ({ settings, clusters, gateways }) {
  if (!settings) return;
  const { additions } = settings.spec;
  for (const [index, { name, gateway }] of additions.clusters.entries()) {
    const at = { resource: settings, path: ['spec', 'additions', 'clusters', index] };
    const cluster = clusters.find(({ metadata }) => metadata.name === name);
    if (!cluster) yield describeUnknown('InferenceCluster', name, at, clusters);
    else if (!cluster.spec.gateway.enabled) yield describeDisabled(cluster, at);
    else yield* findConflicts({ added: gateway, own: cluster.spec.gateway, owner: cluster }, at, ['gateway']);
  }
  for (const [index, { name, ...added }] of additions.gateways.entries()) {
    const at = { resource: settings, path: ['spec', 'additions', 'gateways', index] };
    const gateway = gateways.find(({ metadata }) => metadata.name === name);
    if (!gateway) yield describeUnknown('InferenceGateway', name, at, gateways);
    else yield* findConflicts({ added: withoutDefaults(added), own: gateway.spec, owner: gateway }, at);
  }
};

interface Addition {
  readonly added: object;

  /** The fields of the resource after the addition. */
  readonly own: object;
  readonly owner: Resource;
}

/** Finds fields that the resource has with another value. */
function* findConflicts(
  { added, own, owner }: Addition,
  { resource, path }: ResourcePath,
  below: readonly string[] = [],
): Iterable<Diagnostic<ResourcePath>> {
  for (const [field, value] of Object.entries(added)) {
    if (value === undefined || isDeepEqual(value, (own as Record<string, unknown>)[field])) continue;
    const at = { resource, path: [...path, ...below, field] };
    const message = `${resourceIdOf(owner)} sets '${field}' to another value`;
    yield errorAt('contradiction', at, message, 'Remove one of the two');
  }
}

/** The fields that say something: an empty list of clusters and a gateway that is not public are the defaults. */
function withoutDefaults(added: Omit<FleetSettings['spec']['additions']['gateways'][number], 'name'>): object {
  const { clusters, public: isPublic, ...rest } = added;
  return { ...rest, ...(clusters.length > 0 && { clusters }), ...(isPublic !== false && { public: isPublic }) };
}

function describeUnknown(
  kind: Resource['kind'],
  name: string,
  { resource, path }: ResourcePath,
  all: readonly Resource[],
): Diagnostic<ResourcePath> {
  const known = all.map(({ metadata }) => metadata.name);
  return describeUnknownReference({ resource, path: [...path, 'name'], kind, name, known });
}

function describeDisabled(cluster: Resource, { resource, path }: ResourcePath): Diagnostic<ResourcePath> {
  const message = `${resourceIdOf(cluster)} has 'gateway: None'`;
  return errorAt('contradiction', { resource, path: [...path, 'gateway'] }, message, 'Remove one of the two');
}
