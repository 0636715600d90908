import { labelsOf } from '../api/cluster-labels';
import { domainLabel, domainsOf } from '../api/domains';
import { qualifiedName } from '../api/resource';
import type { Problem } from '../errors';
import type { Fleet } from '../fleet';
import { nearestNamed } from '../nearest';
import { sortedBy } from '../order';
import { shortList } from '../plan/format';
import type { Step } from './scenario';

/** What is wrong with a step, but where. */
export type StepFault = Pick<Problem, 'code' | 'what' | 'hint'>;

/** The fields of a scenario that list steps. */
export type StepField = 'price' | 'addNodes' | 'scale' | 'removePool' | 'drain' | 'lose' | 'loseDomain';

/** How a kind of step is written, in flags and files alike. */
export interface StepForm {
  /** The field of a scenario that lists such steps. */
  readonly field: StepField;
  /** What users write: `CLUSTER/POOL=N`. */
  readonly form: string;
  readonly help: string;
  readonly read: (text: string, fleet: Fleet) => Step | StepFault;
}

const CLUSTER = 'CLUSTER';

/** The form of each kind of step. */
export const STEP_FORMS: { readonly [K in Step['kind']]: StepForm } = {
  drain: {
    field: 'drain',
    form: CLUSTER,
    help: 'replicas leave it once others serve in their place',
    read: (text, fleet) => unknownCluster(text, fleet) ?? { kind: 'drain', cluster: text },
  },
  lose: {
    field: 'lose',
    form: CLUSTER,
    help: 'it is gone at once',
    read: (text, fleet) => unknownCluster(text, fleet) ?? { kind: 'lose', cluster: text },
  },
  'lose-domain': {
    field: 'loseDomain',
    form: 'DOMAIN=VALUE',
    help: 'all clusters of a region, or another failure domain, are gone at once',
    read: readDomain,
  },
  'remove-pool': {
    field: 'removePool',
    form: 'CLUSTER/POOL',
    help: 'it is gone at once',
    read: (text, fleet) => inPool(text, fleet, (where) => ({ kind: 'remove-pool', ...where })),
  },
  'add-nodes': {
    field: 'addNodes',
    form: 'CLUSTER/POOL=N',
    help: 'the pool has so many nodes more',
    read: (text, fleet) =>
      withNumber(text, NODES, (name, nodes) =>
        inPool(name, fleet, (where) => ({ kind: 'add-nodes', ...where, nodes })),
      ),
  },
  scale: {
    field: 'scale',
    form: 'NAMESPACE/DEPLOYMENT=N',
    help: 'the deployment asks for so many replicas',
    read: (text, fleet) =>
      withNumber(
        text,
        REPLICAS,
        (name, replicas) =>
          unknownDeployment(name, fleet) ??
          tooFew(name, replicas, fleet) ?? { kind: 'scale', deployment: name, replicas },
      ),
  },
  price: {
    field: 'price',
    form: 'CLUSTER/POOL=X',
    help: 'a node of the pool costs so much an hour',
    read: (text, fleet) =>
      withNumber(text, PRICE, (name, perHour) =>
        inPool(name, fleet, (where) => ({ kind: 'price', ...where, perHour })),
      ),
  },
};

/** Whether what was read is no step. */
export function isFault(read: Step | StepFault): read is StepFault {
  return 'code' in read;
}

/** A number that users write after `=`. */
interface Amount {
  readonly noun: string;
  readonly pattern: RegExp;
  readonly least: number;
  readonly most: number;
}

const NODES: Amount = { noun: 'a number of nodes', pattern: /^\d{1,5}$/, least: 1, most: 10_000 };
const REPLICAS: Amount = { noun: 'a number of replicas', pattern: /^\d{1,4}$/, least: 0, most: 1000 };
const PRICE: Amount = { noun: 'a price', pattern: /^\d{1,9}(\.\d{1,6})?$/, least: 0, most: 1e9 };

function withNumber(
  text: string,
  { noun, pattern, least, most }: Amount,
  step: (name: string, amount: number) => Step | StepFault,
): Step | StepFault {
  const at = text.lastIndexOf('=');
  const written = text.slice(at + 1);
  const amount = Number(written);
  if (at > 0 && pattern.test(written) && amount >= least && amount <= most)
    return step(text.slice(0, at), amount);
  const what = at > 0 ? `'${written}' is no ${noun.slice(2)}` : `'${text}' does not say ${noun}`;
  return { code: 'bad-step', what, hint: `Write it after '=', from ${least} to ${most}` };
}

function inPool(
  text: string,
  { clusters }: Fleet,
  step: (where: { cluster: string; pool: string }) => Step,
): Step | StepFault {
  const [cluster = '', pool = '', ...rest] = text.split('/');
  const found = clusters.find(({ metadata }) => metadata.name === cluster);
  if (rest.length === 0 && found?.spec.nodePools.some(({ name }) => name === pool))
    return step({ cluster, pool });
  const all = clusters.flatMap(({ metadata, spec }) =>
    spec.nodePools.map(({ name }) => `${metadata.name}/${name}`),
  );
  return unknown('pool', text, all, 'CLUSTER/POOL');
}

function unknownCluster(text: string, { clusters }: Fleet): StepFault | undefined {
  const names = clusters.map(({ metadata }) => metadata.name);
  return names.includes(text) ? undefined : unknown('cluster', text, names, CLUSTER);
}

function unknownDeployment(text: string, { deployments }: Fleet): StepFault | undefined {
  const ids = deployments.map(qualifiedName);
  return ids.includes(text) ? undefined : unknown('deployment', text, ids, 'NAMESPACE/DEPLOYMENT');
}

/** Fewer replicas than domains that they must be in: what no fleet can declare. */
function tooFew(id: string, replicas: number, { deployments }: Fleet): StepFault | undefined {
  const { minDomains = 0 } = deployments.find((one) => qualifiedName(one) === id)?.spec.placement ?? {};
  if (replicas === 0 || minDomains <= replicas) return undefined;
  const what = `the replicas of ${id} must be in ${minDomains} domains`;
  return { code: 'contradiction', what, hint: `Ask for at least ${minDomains}, or for none` };
}

function readDomain(text: string, { clusters, settings }: Fleet): Step | StepFault {
  const at = text.indexOf('=');
  const [domain, value] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
  if (at < 1 || value === '') {
    return {
      code: 'bad-step',
      what: `'${text}' names no domain and value`,
      hint: 'Write DOMAIN=VALUE: region=us-east1',
    };
  }
  const label = domainLabel(domain, settings);
  const labels = clusters.map(labelsOf);
  const values = labels.flatMap((one) => one[label] ?? []);
  if (values.includes(value)) return { kind: 'lose-domain', label, value };
  if (values.length > 0)
    return unknown(`cluster with ${domain}`, value, values, 'a value that a cluster has');
  const names = [...Object.keys(domainsOf(settings)), ...labels.flatMap((one) => Object.keys(one))];
  return unknown(
    'failure domain',
    domain,
    names,
    'region, provider, a name of Fleet.spec.domains or a cluster label',
  );
}

function unknown(noun: string, text: string, known: readonly string[], form: string): StepFault {
  const near = nearestNamed(text, known);
  const names = sortedBy(new Set(known), (name) => name);
  const all = names.length > 0 ? `Use one of ${shortList(names)}` : `Write ${form}`;
  const hint = near ? `Did you mean '${near}'?` : all;
  return { code: 'unknown-name', what: `there is no ${noun} '${text}'`, hint };
}
