import { PROVIDER_BLOCK } from '../../api/cloud-providers';
import type { ClusterSource } from '../../api/cluster-source';
import type { InferenceClass } from '../../api/inference-class';
import { type Diagnostic, errorAt, relocate } from '../../base/diagnostic';
import { suggestName } from '../../base/name-suggestion';
import { pluralize } from '../../base/text';
import { describeUnknownReference, type FleetCheck } from './fleet-check';

/** Checks that the class of each pool is declared, and that the cloud of the cluster can provision its nodes. */
export const checkPoolClasses: FleetCheck = function* ({ classes, clusters }) {
  const known = classes.map(({ metadata }) => metadata.name);
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  const pools = clusters.flatMap((resource) =>
    resource.spec.nodePools.map(({ className }, index) => ({ resource, className, index })),
  );
  for (const { resource, className, index } of pools) {
    const path = ['spec', 'nodePools', index, 'className'];
    const found = byName.get(className);
    const wrong = found && findWrongCloud(found, resource.spec.cluster.source);
    if (!found) yield describeUnknownReference({ resource, path, kind: 'InferenceClass', name: className, known });
    if (wrong) yield relocate(wrong, () => ({ resource, path }));
  }
};

/** Requires a `provisioning` block for the cloud of the cluster, except where the cluster already exists. */
function findWrongCloud({ metadata, spec }: InferenceClass, source: ClusterSource): Diagnostic<undefined> | undefined {
  if (source === 'Existing') return undefined;
  const block = PROVIDER_BLOCK[source];
  if (spec.provisioning?.[block]) return undefined;
  return errorAt(
    'wrong-provider',
    undefined,
    spec.provisioning
      ? `InferenceClass '${metadata.name}' is for ${spec.provisioning.provider}, and the cluster is on ${source}`
      : `InferenceClass '${metadata.name}' does not say how ${source} makes its nodes`,
    `Use a class for ${source}, or add spec.provisioning.${block} to this one`,
  );
}

/** Checks that each pool reserves only devices that the nodes of its class have. */
export const checkReservedDevices: FleetCheck = function* ({ classes, clusters }) {
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  for (const resource of clusters) {
    for (const [index, { className, reserved }] of resource.spec.nodePools.entries()) {
      const declared = byName.get(className);
      const wrong = declared ? findMissingDevices(declared, reserved.devices) : [];
      const path = ['spec', 'nodePools', index, 'reserved', 'devices'];
      yield* wrong.map((one) => relocate(one, (device) => ({ resource, path: [...path, device] })));
    }
  }
};

/** Reports devices that cannot be reserved. The place of each diagnostic is the name of the device. */
function findMissingDevices(declared: InferenceClass, devices: Readonly<Record<string, number>>): Diagnostic[] {
  return Object.entries(devices).flatMap(([device, count]) => findMissingDevice(declared, device, count) ?? []);
}

function findMissingDevice({ metadata, spec }: InferenceClass, device: string, count: number): Diagnostic | undefined {
  const found = spec.devices.find(({ name }) => name === device);
  if (found && found.count >= count) return undefined;
  if (found) {
    return errorAt(
      'out-of-bounds',
      device,
      `${pluralize(count, 'device')} '${device}' cannot be reserved where InferenceClass '${metadata.name}' has ${found.count}`,
      `Reserve at most ${found.count}`,
    );
  }
  const known = spec.devices.map(({ name }) => name);
  const meant = suggestName(device, known);
  return errorAt(
    'unknown-reference',
    device,
    `InferenceClass '${metadata.name}' has no device '${device}'`,
    meant ? `Use '${meant}'` : `Use one of ${known.join(', ')}`,
  );
}
