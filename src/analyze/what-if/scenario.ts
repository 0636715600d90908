import { clusterLabelsOf, failureDomainsOf, resolveDomainLabel } from '../../api/cluster-labels';
import { qualifiedNameOf } from '../../api/resource';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { suggestObjectName } from '../../base/name-suggestion';
import { sortUnique } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import type { Fleet } from '../../fleet/fleet';

/** A set of changes to a fleet whose effect is simulated. */
export interface Scenario {
  /** The name that is shown to users. */
  readonly name: string;

  /** The changes, which all apply at once: their order does not matter. */
  readonly steps: readonly Step[];
}

/** One change of a scenario. */
export type Step =
  | { readonly kind: 'price'; readonly cluster: string; readonly pool: string; readonly perHour: number }
  /** `nodes` is below 0 where the pool loses nodes. */
  | { readonly kind: 'add-nodes'; readonly cluster: string; readonly pool: string; readonly nodes: number }
  /** `deployment` is `namespace/name`. */
  | { readonly kind: 'scale'; readonly deployment: string; readonly replicas: number }
  /** The engine has this number of copies in each replica. */
  | { readonly kind: 'scale-engine'; readonly deployment: string; readonly engine: string; readonly copies: number }
  | { readonly kind: 'remove-pool'; readonly cluster: string; readonly pool: string }
  /** No replica may stay. Each one serves until its replacement does. */
  | { readonly kind: 'drain'; readonly cluster: string }
  /** The cluster disappears at once, with all of its replicas. */
  | { readonly kind: 'lose'; readonly cluster: string }
  /** All clusters with a value of a failure domain disappear at once. `label` is the cluster label of the domain. */
  | { readonly kind: 'lose-domain'; readonly label: string; readonly value: string };

/** The step type of a kind. */
export type StepOf<K extends Step['kind']> = Extract<Step, { kind: K }>;

/** The fields of a scenario that list steps. */
export type StepField = 'price' | 'addNodes' | 'scale' | 'scaleEngine' | 'removePool' | 'drain' | 'lose' | 'loseDomain';

/** The syntax of a kind of step, in flags and in files. */
interface StepSyntax {
  /** The field of a scenario that lists such steps. */
  readonly field: StepField;
  /** The form that users write, such as `CLUSTER/POOL=N`. */
  readonly form: string;
  readonly help: string;
  readonly read: (text: string, fleet: Fleet) => Step | Diagnostic<undefined>;
}

const CLUSTER_FORM = 'CLUSTER';

/** The syntax of each kind of step, in the order in which reports name them. */
export const STEP_SYNTAX: { readonly [K in Step['kind']]: StepSyntax } = {
  price: {
    field: 'price',
    form: 'CLUSTER/POOL=X',
    help: 'the price of a node of the pool for an hour',
    read: (text, fleet) =>
      parseNumberStep(text, PRICE, (name, perHour) =>
        parsePoolStep(name, fleet, (where) => ({ kind: 'price', ...where, perHour })),
      ),
  },
  'add-nodes': {
    field: 'addNodes',
    form: 'CLUSTER/POOL=N',
    help: 'the pool gets this number of nodes in addition, or loses nodes if N is below 0',
    read: (text, fleet) =>
      parseNumberStep(text, NODES, (name, nodes) => {
        const step = parsePoolStep(name, fleet, (where) => ({ kind: 'add-nodes', ...where, nodes }));
        return isStepFault(step) ? step : (checkPoolSize(name, nodes, fleet) ?? step);
      }),
  },
  scale: {
    field: 'scale',
    form: 'NAMESPACE/DEPLOYMENT=N',
    help: 'the deployment has this number of replicas',
    read: (text, fleet) =>
      parseNumberStep(
        text,
        REPLICAS,
        (name, replicas) =>
          checkDeployment(name, fleet) ??
          checkMinDomains(name, replicas, fleet) ?? { kind: 'scale', deployment: name, replicas },
      ),
  },
  'scale-engine': {
    field: 'scaleEngine',
    form: 'NAMESPACE/DEPLOYMENT/ENGINE=N',
    help: 'the engine has this number of copies in each replica',
    read: (text, fleet) => parseNumberStep(text, COPIES, (name, copies) => parseEngineStep(name, copies, fleet)),
  },
  'remove-pool': {
    field: 'removePool',
    form: 'CLUSTER/POOL',
    help: 'the pool is removed, with the replicas on it',
    read: (text, fleet) => parsePoolStep(text, fleet, (where) => ({ kind: 'remove-pool', ...where })),
  },
  drain: {
    field: 'drain',
    form: CLUSTER_FORM,
    help: 'it is drained: replicas are removed once their replacements serve',
    read: (text, fleet) => checkCluster(text, fleet) ?? { kind: 'drain', cluster: text },
  },
  lose: {
    field: 'lose',
    form: CLUSTER_FORM,
    help: 'it fails; also a failure domain as survive names it: a region, or DOMAIN=VALUE',
    read: parseLossStep,
  },
  'lose-domain': {
    field: 'loseDomain',
    form: 'DOMAIN=VALUE',
    help: 'all clusters of a region, or of another failure domain, fail',
    read: parseDomainStep,
  },
};

/** Every kind of step, in the order of the table. */
export const STEP_KINDS = Object.keys(STEP_SYNTAX) as readonly Step['kind'][];

/** Whether the result of reading a step is a problem. */
export function isStepFault(read: Step | Diagnostic<undefined>): read is Diagnostic<undefined> {
  return 'code' in read;
}

/** The syntax and bounds of a number that users write after `=`. */
interface NumberSyntax {
  readonly noun: string;
  readonly pattern: RegExp;
  readonly least: number;
  readonly most: number;

  /** What is excepted, behind the bounds. Default: nothing. */
  readonly except?: string;
}

const NODES: NumberSyntax = {
  noun: 'a number of nodes',
  pattern: /^-?[1-9]\d{0,4}$/,
  least: -10_000,
  most: 10_000,
  except: ', and not 0',
};
const REPLICAS: NumberSyntax = { noun: 'a number of replicas', pattern: /^\d{1,4}$/, least: 0, most: 1000 };
const COPIES: NumberSyntax = { noun: 'a number of copies', pattern: /^\d{1,2}$/, least: 1, most: 64 };
const PRICE: NumberSyntax = { noun: 'a price', pattern: /^\d{1,9}(\.\d{1,6})?$/, least: 0, most: 1e9 };

function parseNumberStep(
  text: string,
  { noun, pattern, least, most, except = '' }: NumberSyntax,
  step: (name: string, amount: number) => Step | Diagnostic<undefined>,
): Step | Diagnostic<undefined> {
  const at = text.lastIndexOf('=');
  const written = text.slice(at + 1);
  const amount = Number(written);
  if (at > 0 && pattern.test(written) && amount >= least && amount <= most) return step(text.slice(0, at), amount);
  const what = at > 0 ? `'${written}' is not ${noun}` : `'${text}' lacks ${noun}`;
  const isDifference = least >= 0 && /^[+-]\d+$/.test(written);
  const form = isDifference ? 'Write how many there are then, not the difference' : "Write it after '='";
  return errorAt('bad-step', undefined, what, `${form}, from ${least} to ${most}${except}`);
}

function parseEngineStep(text: string, copies: number, { deployments }: Fleet): Step | Diagnostic<undefined> {
  const known = deployments.flatMap((one) =>
    one.spec.template.spec.engines.map(({ name: engine }) => ({ deployment: qualifiedNameOf(one), engine })),
  );
  const found = known.find(({ deployment, engine }) => `${deployment}/${engine}` === text);
  if (found) return { kind: 'scale-engine', ...found, copies };
  const names = known.map(({ deployment, engine }) => `${deployment}/${engine}`);
  return reportUnknownName('engine', text, names, 'NAMESPACE/DEPLOYMENT/ENGINE');
}

function parsePoolStep(
  text: string,
  { clusters }: Fleet,
  step: (where: { cluster: string; pool: string }) => Step,
): Step | Diagnostic<undefined> {
  const [cluster = '', pool = '', ...rest] = text.split('/');
  const found = clusters.find(({ metadata }) => metadata.name === cluster);
  if (rest.length === 0 && found?.spec.nodePools.some(({ name }) => name === pool)) return step({ cluster, pool });
  return reportUnknownName('pool', text, listPools(clusters), 'CLUSTER/POOL');
}

/** Reports a pool that would lose more nodes than it has. */
function checkPoolSize(name: string, nodes: number, { clusters }: Fleet): Diagnostic<undefined> | undefined {
  const pools = clusters.flatMap(({ metadata, spec }) =>
    spec.nodePools.map((pool) => ({ ...pool, name: `${metadata.name}/${pool.name}` })),
  );
  const found = pools.find((pool) => pool.name === name);
  const most = found?.maxNodeCount ?? found?.nodeCount ?? 0;
  if (most + nodes >= 0) return undefined;
  return errorAt('bad-step', undefined, `${name} has ${pluralize(most, 'node')}`, `Remove ${most} or fewer`);
}

function checkCluster(text: string, { clusters }: Fleet): Diagnostic<undefined> | undefined {
  const names = clusters.map(({ metadata }) => metadata.name);
  if (names.includes(text)) return undefined;
  return hintForPool(reportUnknownName('cluster', text, names, CLUSTER_FORM), text, clusters);
}

/** Says what takes nodes of a pool away, if a pool is named where a cluster is expected. */
function hintForPool(unknown: Diagnostic<undefined>, text: string, clusters: Fleet['clusters']): Diagnostic<undefined> {
  if (!listPools(clusters).includes(text)) return unknown;
  return { ...unknown, hint: `To take away a node of this pool, use --add-nodes ${text}=-1 (in a file: addNodes)` };
}

/** `CLUSTER/POOL` of every pool. */
function listPools(clusters: Fleet['clusters']): string[] {
  return clusters.flatMap(({ metadata, spec }) => spec.nodePools.map(({ name }) => `${metadata.name}/${name}`));
}

/** Reads a cluster, or a failure domain by its name where no cluster has it. */
function parseLossStep(text: string, fleet: Fleet): Step | Diagnostic<undefined> {
  const clusters = fleet.clusters.map(({ metadata }) => metadata.name);
  if (clusters.includes(text)) return { kind: 'lose', cluster: text };
  if (text.includes('=')) return parseDomainStep(text, fleet);
  const domains = listDomains(fleet);
  const named = domains.filter(({ value }) => value === text);
  const [only] = named;
  if (only && named.every(({ label }) => label === only.label)) return { kind: 'lose-domain', ...only };
  if (only) {
    const forms = sortUnique(named.map(({ label }) => `${label}=${text}`));
    return errorAt('bad-step', undefined, `'${text}' is in ${forms.length} failure domains`, `Use ${joinNames(forms)}`);
  }
  const names = sortUnique([...clusters, ...domains.map(({ value }) => value)]);
  const unknown = reportUnknownName('cluster or failure domain', text, names, CLUSTER_FORM);
  return hintForPool(unknown, text, fleet.clusters);
}

/** The failure domains that clusters are in: regions, providers, clusters and those that the fleet names. */
function listDomains({ clusters, settings }: Fleet): { label: string; value: string }[] {
  const labels = sortUnique(Object.values(failureDomainsOf(settings)));
  return labels.flatMap((label) => {
    const values = clusters.flatMap((cluster) => clusterLabelsOf(cluster)[label] ?? []);
    return sortUnique(values).map((value) => ({ label, value }));
  });
}

function checkDeployment(text: string, { deployments }: Fleet): Diagnostic<undefined> | undefined {
  const ids = deployments.map(qualifiedNameOf);
  return ids.includes(text) ? undefined : reportUnknownName('deployment', text, ids, 'NAMESPACE/DEPLOYMENT');
}

/** Reports fewer replicas than the domains that they must be in, which no fleet can declare. */
function checkMinDomains(id: string, replicas: number, { deployments }: Fleet): Diagnostic<undefined> | undefined {
  const { minDomains = 0 } = deployments.find((one) => qualifiedNameOf(one) === id)?.spec.placement ?? {};
  if (replicas === 0 || minDomains <= replicas) return undefined;
  const what = `the replicas of ${id} must be in ${minDomains} domains`;
  return errorAt('contradiction', undefined, what, `Use at least ${minDomains}, or 0`);
}

function parseDomainStep(text: string, { clusters, settings }: Fleet): Step | Diagnostic<undefined> {
  const at = text.indexOf('=');
  const [domain, value] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
  if (at < 1 || value === '') {
    return errorAt('bad-step', undefined, `'${text}' is not DOMAIN=VALUE`, 'Write DOMAIN=VALUE: region=us-east1');
  }
  const label = resolveDomainLabel(domain, settings);
  const labels = clusters.map(clusterLabelsOf);
  const values = labels.flatMap((one) => one[label] ?? []);
  if (values.includes(value)) return { kind: 'lose-domain', label, value };
  if (values.length > 0)
    return reportUnknownName(`cluster with ${domain}`, value, values, 'a value that a cluster has');
  const names = [...Object.keys(failureDomainsOf(settings)), ...labels.flatMap((one) => Object.keys(one))];
  return reportUnknownName(
    'failure domain',
    domain,
    names,
    'cluster, region, provider, a name of Fleet.spec.domains or a cluster label',
  );
}

function reportUnknownName(noun: string, text: string, known: readonly string[], form: string): Diagnostic<undefined> {
  const near = suggestObjectName(text, known);
  const names = sortUnique(known);
  const all = names.length > 0 ? `Use one of ${joinNames(names)}` : `Write ${form}`;
  const hint = near ? `Did you mean '${near}'?` : all;
  return errorAt('unknown-name', undefined, `there is no ${noun} '${text}'`, hint);
}
