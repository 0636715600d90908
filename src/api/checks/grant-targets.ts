import type { Fleet } from '../../fleet';
import type { Grant } from '../grant';
import { canonicalLabels } from '../labels';
import type { FleetCheck } from './fault';

type Target = Grant['spec']['to'][number];
type Labels = Readonly<Record<string, string>>;

interface Labelled {
  readonly namespace: string | undefined;
  readonly labels: Labels;
}

/** The labels by which a grant finds targets of each kind. */
const TARGETS: Readonly<Record<Target['kind'], (fleet: Fleet) => readonly Labelled[]>> = {
  ModelDeployment: ({ deployments }) =>
    deployments.map(({ metadata, spec }) => ({
      namespace: metadata.namespace,
      labels: { ...metadata.labels, ...spec.template.metadata.labels },
    })),
  ModelEndpoint: ({ endpoints }) => endpoints.map(({ metadata }) => metadata).map(labelled),
};

/** A grant that opens nothing is a slip: its labels or its namespace are not what its author thinks. */
export const grantTargets: FleetCheck = function* (fleet) {
  for (const resource of fleet.grants) {
    const { namespace } = resource.metadata;
    for (const [index, target] of resource.spec.to.entries()) {
      const here = TARGETS[target.kind](fleet).filter((one) => one.namespace === namespace);
      if (here.some(({ labels }) => selects(target.matchLabels, labels))) continue;
      yield {
        code: 'no-target',
        resource,
        path: ['spec', 'to', index],
        what: `the grant covers no ${target.kind} in namespace '${namespace}'`,
        hint: here.length > 0 ? 'Correct its labels' : `Declare it in the namespace of a ${target.kind}`,
      };
    }
  }
};

function labelled({ namespace, labels }: { namespace?: string; labels: Labels }): Labelled {
  return { namespace, labels };
}

function selects(wanted: Labels, labels: Labels): boolean {
  return Object.entries(canonicalLabels(wanted)).every(([key, value]) => labels[key] === value);
}
