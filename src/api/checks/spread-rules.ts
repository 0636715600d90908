import type { Fleet } from '../../fleet';
import { nearest } from '../../nearest';
import { labelsOf } from '../cluster-labels';
import { domainLabel, domainsOf } from '../domains';
import type { ModelDeployment } from '../model-deployment';
import type { Finding } from '../resource';
import { counted } from '../wording';
import type { FleetCheck } from './fault';

/** A deployment and the labels of the clusters of its fleet. */
interface Spreading {
  readonly deployment: ModelDeployment;
  readonly settings: Fleet['settings'];
  readonly clusters: readonly Labels[];
}

type Labels = Readonly<Record<string, string>>;

/** A rule on how a deployment spreads. Paths start at its placement. */
type SpreadRule = (spreading: Spreading) => Finding | undefined;

/** Some cluster carries the label by which replicas spread. */
const labelExists: SpreadRule = ({ deployment, settings, clusters }) => {
  const { spreadBy } = deployment.spec.placement;
  const key = keyOf({ deployment, settings });
  if (spreadBy === undefined || key === undefined || clusters.some((labels) => Object.hasOwn(labels, key)))
    return undefined;
  const names = Object.entries(domainsOf(settings)).filter(([, label]) =>
    clusters.some((one) => Object.hasOwn(one, label)),
  );
  const meant = nearest(spreadBy, [...names.map(([name]) => name), ...clusters.flatMap(Object.keys)]);
  const alias = key === spreadBy ? '' : `, which '${spreadBy}' stands for`;
  return {
    code: 'no-such-domain',
    path: ['spreadBy'],
    what: `no cluster carries the label '${key}'${alias}`,
    hint: meant ? `Use '${meant}'` : 'Label the clusters, or spread by a label that they have',
  };
};

/** There are as many replicas as domains that they must be in. How many domains exist is for the plan to tell. */
const enoughReplicas: SpreadRule = ({ deployment }) => {
  const { replicas, placement } = deployment.spec;
  const { minDomains = 0 } = placement;
  if (replicas === 0 || minDomains <= replicas) return undefined;
  return {
    code: 'contradiction',
    path: ['minDomains'],
    what: `${counted(replicas, 'replica')} cannot be in ${minDomains} domains`,
    hint: `Ask for at least ${counted(minDomains, 'replica')}, or for fewer domains`,
  };
};

const RULES: readonly SpreadRule[] = [labelExists, enoughReplicas];

/** What a deployment says of how it spreads makes sense, whichever clusters are lost. */
export const spreadRules: FleetCheck = function* ({ clusters, deployments, settings }) {
  if (clusters.length === 0) return;
  const all = clusters.map(labelsOf);
  for (const deployment of deployments) {
    for (const rule of RULES) {
      const finding = rule({ deployment, settings, clusters: all });
      if (finding) yield { ...finding, resource: deployment, path: ['spec', 'placement', ...finding.path] };
    }
  }
};

function keyOf({ deployment, settings }: Pick<Spreading, 'deployment' | 'settings'>): string | undefined {
  const { spreadBy } = deployment.spec.placement;
  return spreadBy === undefined ? undefined : domainLabel(spreadBy, settings);
}
