import { formatCount } from '../../base/figures';
import { isMap } from '../../base/json';
import { groupBy, sortUnique } from '../../base/order';
import { joinAnd } from '../../base/text';
import type { FieldChange } from '../../diff/field-changes';
import type { Cause } from '../../diff/replica-causes';
import type { RouteChanges } from '../../diff/route-changes';
import { formatPeriod } from '../../diff/limit-warnings';
import { fieldsOf } from './access-clause';
import { formatTime } from './limit-clauses';

/**
 * Says what held before an edit that declares a value, or holds after one that no longer does, and that the taint of a
 * cluster is not one of its nodes. Empty: that is clear.
 */
export type NoteInherited = (edit: Cause) => string;

type Value = FieldChange['before'] | undefined;

/**
 * Creates a function that notes the value of a limit where a service does not declare it: that of its gateways, or the
 * default.
 */
export function createInheritedNotes({ services }: RouteChanges): NoteInherited {
  const changed = new Map(services.map((one) => [`ModelService ${one.service}`, one]));
  return ({ id, field }) => {
    if (field && declaresLost(id, field)) return ' (replicas there do not serve, and get places elsewhere)';
    if (field && evictsByName(id, field)) return ' (replicas move by the plan, and no pod is evicted)';
    const change = changed.get(id);
    if (!change || !field || (field.before === undefined) === (field.after === undefined)) return '';
    const [end, when] = field.before === undefined ? (['before', 'before'] as const) : (['after', 'then'] as const);
    const [, time] = /^spec\.timeouts\.(\w+)$/.exec(field.field) ?? [];
    const limits = field.field === 'spec.rateLimits' ? listLimits(fieldsOf(change, 'rateLimits'), field, end) : [];
    const texts = time === undefined ? limits : listTimes(fieldsOf(change, 'timeouts'), time, end);
    const from = time === undefined ? 'from the gateway' : 'from the gateway or by default';
    return texts.length === 0 ? '' : ` (${when}, ${from}: ${joinAnd(sortUnique(texts))})`;
  };
}

/** Whether an edit declares a cluster lost. */
function declaresLost(id: string, field: Pick<FieldChange, 'field' | 'after'>): boolean {
  const { after } = field;
  return evictsByName(id, field) && JSON.stringify(after).includes('"key":"lost"');
}

/** Whether an edit taints a cluster with what evicts pods from nodes. */
function evictsByName(id: string, { field, after = null }: Pick<FieldChange, 'field' | 'after'>): boolean {
  return /^InferenceCluster .*\sspec\.taints\b/.test(`${id} ${field}`) && JSON.stringify(after).includes('NoExecute');
}

/** `1 h`, of a timeout on the gateways. */
function listTimes(fields: readonly FieldChange[], name: string, end: 'before' | 'after'): string[] {
  const values = fields.filter(({ path }) => path[3] === name).map((one): Value => one[end]);
  return values.flatMap((value) => (value === undefined ? [] : [formatTime(value)]));
}

/** `600 requests a minute`, of the rate limits on the gateways. */
function listLimits(
  fields: readonly FieldChange[],
  declared: Pick<FieldChange, 'before' | 'after'>,
  end: 'before' | 'after',
): string[] {
  const limits = groupBy(fields, ({ path }) => JSON.stringify(path.slice(0, 4)));
  const [own] = [declared.after ?? declared.before].flatMap((all) => (Array.isArray(all) ? all : []));
  return [...limits.values()].flatMap((parts) => {
    const valueOf = (name: string): Value => parts.find(({ path }) => path[4] === name)?.[end];
    const requests = valueOf('requests');
    const per = valueOf('per') ?? (isMap(own) ? own['per'] : undefined);
    return typeof requests === 'number' && typeof per === 'string'
      ? [`${formatCount(requests)} requests ${formatPeriod(per)}`]
      : [];
  });
}
