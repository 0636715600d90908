import type { Source } from '../cluster-source';
import type { InferenceClass } from '../inference-class';
import { PROVIDER_BLOCK } from '../providers';
import type { Finding } from '../resource';
import { type FleetCheck, unknownReference } from './fault';

/** Every pool has a class, and its cluster's cloud can make nodes of that class. */
export const poolClasses: FleetCheck = function* ({ classes, clusters }) {
  const known = classes.map(({ metadata }) => metadata.name);
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  const pools = clusters.flatMap((resource) =>
    resource.spec.nodePools.map(({ className }, index) => ({ resource, className, index })),
  );
  for (const { resource, className, index } of pools) {
    const path = ['spec', 'nodePools', index, 'className'];
    const found = byName.get(className);
    const wrong = found && wrongCloud(found, resource.spec.cluster.source);
    if (!found) yield unknownReference({ resource, path, kind: 'InferenceClass', name: className, known });
    if (wrong) yield { ...wrong, resource, path };
  }
};

/** A class is made on its provider, or on any cloud whose block it has. Nodes of an existing cluster are there. */
function wrongCloud({ metadata, spec }: InferenceClass, source: Source): Omit<Finding, 'path'> | undefined {
  if (source === 'Existing') return undefined;
  const block = PROVIDER_BLOCK[source];
  if (spec.provisioning?.[block]) return undefined;
  return {
    code: 'wrong-provider',
    what: spec.provisioning
      ? `InferenceClass '${metadata.name}' is for ${spec.provisioning.provider}, and the cluster is on ${source}`
      : `InferenceClass '${metadata.name}' does not say how ${source} makes its nodes`,
    hint: `Use a class for ${source}, or add spec.provisioning.${block} to this one`,
  };
}
