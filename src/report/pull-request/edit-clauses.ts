import { groupBy } from '../../base/order';
import { joinAnd, pluralize } from '../../base/text';
import { isMap } from '../../base/json';
import type { DeclaredField } from '../../diff/declaration-changes';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { Cause } from '../../diff/replica-causes';
import type { GatewayChange } from '../../diff/route-changes';
import { MIN_GROUP } from '../document/group-alike';
import { formatCode } from '../document/write-markdown';
import { limitClauses } from './clauses';

/** What an edit means that changes no replica now. Undefined: the edit says something else. */
type DescribeEdit = (field: DeclaredField, name: string) => string | undefined;

/** The edits that a sentence explains, by kind and path of the field. */
const MEANINGS: readonly (readonly [kind: string, field: RegExp, describe: DescribeEdit])[] = [
  ['InferenceCluster', /^spec\.paused$/, ({ after }, name) => `${after === true ? 'pauses' : 'resumes'} ${name}`],
  [
    'InferenceCluster',
    /^spec\.gateway\.hostname$/,
    ({ after }, name) =>
      typeof after === 'string' ? `sends requests for the cluster ${name} to ${formatCode(after)}` : undefined,
  ],
  [
    'InferenceCluster',
    /^(spec\.)?cluster\.(gke|eks|aks)\.kubernetesVersion$/,
    ({ before, after }, name) => {
      if (before === undefined || after === undefined) return undefined;
      return `changes Kubernetes of ${name} from ${String(before)} to ${String(after)}`;
    },
  ],
  ['InferenceCluster', /^spec\.taints\b/, describeTaint],
  ['InferenceCluster', /^spec\.nodePools\[[^\]]+\]\.taints\b/, describePoolTaint],
  [
    'InferenceGateway',
    /^spec\.clusters$/,
    ({ before, after }, name) => {
      const added = namesIn(after).filter((cluster) => !namesIn(before).includes(cluster));
      return added.length === 0 ? undefined : `adds the ingress gateway ${name} on ${joinAnd(added.map(formatCode))}`;
    },
  ],
  [
    'ModelService',
    /^spec\.servedModelName$/,
    ({ before, after }, name) => {
      if (typeof after !== 'string') return undefined;
      const was = typeof before === 'string' ? ` instead of ${formatCode(before)}` : '';
      return `announces ${formatCode(after)}${was} as the model of ${name}`;
    },
  ],
  [
    'ModelDeployment',
    /^spec\.priority$/,
    ({ before, after }, name) => {
      const [was, is] = [Number(before ?? 0), Number(after ?? 0)];
      return `${is > was ? 'raises' : 'lowers'} the priority of ${name} from ${was} to ${is}`;
    },
  ],
  [
    'ModelDeployment',
    /^spec\.minAvailable$/,
    ({ before, after }, name) => {
      if (after === undefined) return `removes minAvailable of ${name}`;
      if (before === undefined) return `sets minAvailable of ${name} to ${String(after)}`;
      const verb = Number(after) > Number(before) ? 'raises' : 'lowers';
      return `${verb} minAvailable of ${name} from ${String(before)} to ${String(after)}`;
    },
  ],
  [
    'ModelDeployment',
    /^spec\.rollout\.surge$/,
    ({ before, after }, name) => {
      if (Number(before ?? 0) > 0 === Number(after ?? 0) > 0) return undefined;
      return `rollouts of ${name} ${Number(after ?? 0) > 0 ? 'start the new pod first' : 'stop the old pod first'}`;
    },
  ],
  [
    'ModelDeployment',
    /^spec\.rollout\.strategy$/,
    ({ after }, name) =>
      after === 'Recreate'
        ? `rollouts of ${name} stop all old pods first from now on, whose downtime the gate no longer refuses`
        : `rollouts of ${name} no longer stop all pods at once, and downtime is refused again`,
  ],
];

/**
 * Says what edits mean that show in no table: `takes no new replicas on dc (taint power:NoSchedule)`. Those that have
 * come with other edits are in the list of edits.
 *
 * @param said the new ingress gateways that other clauses name. Default: none
 */
export function listEditClauses(
  { declarations }: Pick<FleetDiff, 'declarations'>,
  said: readonly Pick<GatewayChange, 'gateway' | 'cluster'>[] = [],
): string[] {
  const edits = declarations
    .filter(({ action }) => action === 'changed')
    .flatMap(({ id, fields }) => {
      const [kind = '', name = ''] = id.split(' ');
      const known = said.flatMap(({ gateway, cluster }) => (gateway === name ? [cluster] : []));
      const shown = omitImplied(fields).filter((one) => !(kind === 'InferenceGateway' && addsOnly(one, known)));
      return shown.map((field) => ({ kind, name, field }));
    });
  const alike = groupBy(edits, ({ kind, field: { field, before, after } }) =>
    JSON.stringify([kind, field, before, after]),
  );
  const clauses = [...alike.values()].flatMap((group) => {
    const [first] = group;
    const noun = NOUNS[first?.kind ?? ''];
    const isOne = noun !== undefined && group.length >= MIN_GROUP;
    const named = isOne ? group.slice(0, 1) : group;
    return named.flatMap(({ kind, name, field }) => {
      const whose = isOne ? pluralize(group.length, noun) : formatCode(name);
      return MEANINGS.filter(([of, path]) => of === kind && path.test(field.field)).flatMap(
        ([, , describe]) => describe(field, whose) ?? [],
      );
    });
  });
  return limitClauses(clauses, 'changes other declarations');
}

/** The kinds of which several with the same edit are one clause. */
const NOUNS: Readonly<Record<string, string>> = { InferenceCluster: 'cluster', ModelDeployment: 'deployment' };

/** Whether a sentence can say what an edit means. */
export function isExplained({ id, field }: Pick<Cause, 'id' | 'field'>): boolean {
  const [kind = ''] = id.split(' ');
  return field !== undefined && MEANINGS.some(([of, path]) => of === kind && path.test(field.field));
}

/** The fields without those that follow from another: with another strategy, the surge changes too. */
function omitImplied(fields: readonly DeclaredField[]): readonly DeclaredField[] {
  const hasStrategy = fields.some(({ field }) => field === 'spec.rollout.strategy');
  return hasStrategy ? fields.filter(({ field }) => field !== 'spec.rollout.surge') : fields;
}

/** Whether an edit adds an ingress gateway to some clusters and to no others. */
function addsOnly({ field, before, after }: DeclaredField, clusters: readonly string[]): boolean {
  if (field !== 'spec.clusters') return false;
  return namesIn(after).every((one) => namesIn(before).includes(one) || clusters.includes(one));
}

function namesIn(value: DeclaredField['after']): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function describeTaint({ before, after }: DeclaredField, name: string): string | undefined {
  const [was, is] = [formatNoSchedule(before), formatNoSchedule(after)];
  if (is !== undefined) return `takes no new replicas on ${name} (taint ${is})`;
  return was === undefined || after !== undefined ? undefined : `takes new replicas on ${name} again`;
}

/** Replicas tolerate the taints of pools, so that such a taint keeps none off. */
function describePoolTaint({ field, after }: DeclaredField, name: string): string | undefined {
  const pool = /^spec\.nodePools\[([^\]]+)\]/.exec(field)?.[1] ?? '';
  const taint = formatNoSchedule(after);
  if (taint === undefined) return undefined;
  return `keeps pods of other tools off the node pool ${formatCode(pool)} of ${name} (taint ${taint}, which replicas tolerate)`;
}

/** `power:NoSchedule`, of the first taint with that effect. A taint of another effect moves replicas. */
function formatNoSchedule(value: DeclaredField['after']): string | undefined {
  const taints: unknown[] = Array.isArray(value) ? [...value] : [value];
  const taint = taints.filter(isMap).find(({ effect }) => effect === 'NoSchedule');
  return taint === undefined ? undefined : `${String(taint['key'])}:NoSchedule`;
}
