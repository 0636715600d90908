import { formatCount, formatPercent } from '../../base/figures';
import { groupBy, sortUnique } from '../../base/order';
import { joinAnd, pluralize } from '../../base/text';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { RouteChanges, ServiceChange } from '../../diff/route-changes';
import { type MemberChange, partOf } from '../../diff/traffic-share-changes';
import { groupAlike, templateOf } from '../document/group-alike';
import { EACH_CHANGE, escapeMarkdown, formatCode, formatMarkdownTable } from '../document/write-markdown';

/** Of a share of requests, from 0 to 1, or of replicas. */
interface Shares {
  readonly before: number;
  readonly after: number;
}

/** A part of the requests of a service whose share changes. */
export interface ShareChange extends Shares {
  readonly service: string;

  /** The deployment or endpoint, `namespace/name`. */
  readonly target: string;

  /** Absent: all clusters together, or outside the fleet. */
  readonly cluster?: string;

  /** What requests have to match. Absent: all others. */
  readonly match?: string;

  /** Of a part on one cluster: the share on all clusters together, where that changes. */
  readonly whole?: Shares;

  /** Whether this is a part of a share of all clusters together, which comes before it. */
  readonly isPart?: boolean;

  /** The replicas behind it, before and after. Absent: it is an endpoint outside the fleet. */
  readonly replicas?: Shares;

  /** Whether a condition on requests is new or gone: without it, they go where the others go. */
  readonly condition?: 'added' | 'removed';
}

/** The smallest change that is shown: a percentage point. */
export const MIN_STEP = 0.01;

const MAX_ROWS = 30;

const TITLES = ['service', 'requests to', 'before', 'after'];
const TARGET_COLUMN = new Set([1]);

/** The cell for requests that no condition selects. */
const AS_OTHERS = 'as other requests';

/**
 * The changes of routes without shares that are the same under another name of their deployment.
 */
export function omitRenamed({ routes, declarations }: Pick<FleetDiff, 'routes' | 'declarations'>): RouteChanges {
  const names = new Map(
    declarations.flatMap(({ id, action, renamed }): [string, string][] => {
      const [kind, name = ''] = id.split(' ');
      const other = action === 'removed' && kind === 'ModelDeployment' ? renamed?.split(' ')[1] : undefined;
      return other === undefined ? [] : [[name, other]];
    }),
  );
  if (names.size === 0) return routes;
  const services = routes.services.map((one) => {
    return { ...one, targets: omitSame(one.targets, names), members: omitSame(one.members, names) };
  });
  return { ...routes, services: services.filter((one) => !isEmpty(one)) };
}

/** The members without those that have the same share under the new name of their deployment. */
function omitSame(all: readonly MemberChange[], names: ReadonlyMap<string, string>): MemberChange[] {
  const partners = new Map(all.map((one) => [memberKey(one, one.target), one]));
  const same = new Set(
    all.flatMap((was) => {
      const is = partners.get(memberKey(was, names.get(was.target) ?? ''));
      return is && !was.after && !is.before && partOf(was.before) === partOf(is.after) ? [was, is] : [];
    }),
  );
  return all.filter((one) => !same.has(one));
}

function memberKey({ match = '', cluster = '' }: MemberChange, target: string): string {
  return `${match}\n${target}\n${cluster}`;
}

function isEmpty({ action, fields, targets, members }: ServiceChange): boolean {
  return action === 'change' && fields.length + targets.length + members.length === 0;
}

/** Lists the shares that change by a percentage point or more, in services that have routes before and after. */
export function listShareChanges({ services }: RouteChanges): ShareChange[] {
  return services.filter(({ action }) => action === 'change').flatMap(shareChangesOf);
}

function shareChangesOf(change: ServiceChange): ShareChange[] {
  const conditions = findConditions(change.targets);
  return listParts(change).map((part) => {
    const condition = conditions.get(part.match ?? '');
    return condition ? { ...part, condition } : part;
  });
}

function listParts({ service, targets, members }: ServiceChange): ShareChange[] {
  const all = groupBy([...targets, ...members], ({ match = '', target }) => `${match}\n${target}`);
  return [...all.values()].flatMap((group) => {
    const total = group.filter((change) => targets.includes(change)).flatMap((one) => toShareChange(service, one));
    const [whole] = total.map(({ before, after }) => ({ before, after }));
    const parts = group
      .filter((change) => members.includes(change))
      .flatMap((one) => toShareChange(service, one))
      .map((part): ShareChange => ({ ...part, ...(part.cluster !== undefined && whole && { whole }) }));
    const isOneCluster = group.filter((change) => members.includes(change)).length === 1;
    if (isOneCluster) return parts.length > 0 ? parts : total;
    return [...total, ...parts.map((part) => ({ ...part, isPart: total.length > 0 }))];
  });
}

/** The conditions of a service that are new or gone: all requests that meet them have only one of the two shares. */
function findConditions(targets: readonly MemberChange[]): ReadonlyMap<string, 'added' | 'removed'> {
  const rules = groupBy(targets, ({ match = '' }) => match);
  return new Map(
    [...rules].flatMap(([match, changes]): [string, 'added' | 'removed'][] => {
      if (match === '') return [];
      const isWhole = (side: 'before' | 'after'): boolean =>
        Math.abs(changes.reduce((sum, one) => sum + partOf(one[side]), 0) - 1) < ROUNDING;
      if (changes.every(({ after }) => !after) && isWhole('before')) return [[match, 'removed']];
      return changes.every(({ before }) => !before) && isWhole('after') ? [[match, 'added']] : [];
    }),
  );
}

function toShareChange(service: string, change: MemberChange): ShareChange[] {
  const { target, cluster, match } = change;
  const [before, after] = [partOf(change.before), partOf(change.after)];
  if (Math.abs(after - before) < MIN_STEP - ROUNDING) return [];
  const where = { ...(cluster !== undefined && { cluster }), ...(match !== undefined && { match }) };
  const replicas = { before: change.before?.replicas ?? 0, after: change.after?.replicas ?? 0 };
  const served = Math.max(replicas.before, replicas.after) > 0 && { replicas };
  return [{ service, target, ...where, ...served, before, after }];
}

const ROUNDING = 1e-9;

/**
 * Formats what happens to the requests of services.
 *
 * @param lost the lost clusters that keep a share. Default: none
 */
export function formatTrafficTable({ services }: RouteChanges, lost: readonly string[] = []): string[] {
  const shown = listShownChanges(services);
  const changes = groupBy(shown, ({ service }) => service);
  const whole = services.filter(({ action }) => action !== 'change');
  const all = [
    ...whole.map((one) => ({ ...one, rows: formatWholeService(one) })),
    ...services.flatMap((one) => {
      const parts = changes.get(one.service) ?? [];
      return parts.length === 0
        ? []
        : [{ ...one, rows: [...parts.map(formatShares), ...formatRest(one.service, parts)] }];
    }),
  ];
  const rows = groupAlike(all, (one) => templateOf([JSON.stringify(one.rows)], namesOfService(one))).flatMap(
    countAlike,
  );
  if (rows.length === 0) return [];
  const more = rows.length - MAX_ROWS;
  return [
    ...formatMarkdownTable({ rows: [TITLES, ...rows.slice(0, MAX_ROWS)] }, TARGET_COLUMN),
    ...(more > 0 ? ['', `And ${pluralize(more, 'more row')}: see ${formatCode(EACH_CHANGE)}.`] : []),
    '',
    ...(shown.some(isNewTarget) ? [NEW_TARGETS, ''] : []),
    ...describeLost(lost.filter((name) => shown.some(({ cluster }) => cluster === name))),
  ];
}

/** Who gets the requests of lost clusters. */
function describeLost(clusters: readonly string[]): string[] {
  if (clusters.length === 0) return [];
  const [is, it, does] = clusters.length === 1 ? ['is', 'it', 'does'] : ['are', 'they', 'do'];
  return [
    `${joinAnd(clusters.map(formatCode))} ${is} lost: while ${it} ${does} not answer, the others get these requests.`,
    '',
  ];
}

/** The rows of the first of several services to which the same happens, with the number of the others. */
function countAlike([first, ...others]: readonly { readonly rows: readonly string[][] }[]): string[][] {
  const [[service = '', ...cells] = [], ...rest] = first?.rows ?? [];
  const more = others.length === 0 ? '' : ` and ${formatCount(others.length)} more like it`;
  return [[`${service}${more}`, ...cells], ...rest];
}

function formatShares(change: ShareChange): string[] {
  return [
    formatCode(change.service),
    formatTarget(change),
    change.condition === 'added' ? AS_OTHERS : escapeMarkdown(formatPercent(change.before)),
    change.condition === 'removed' ? AS_OTHERS : escapeMarkdown(formatPercent(change.after)),
  ];
}

/** The targets whose shares stay, so that the shares of a service add up. Empty: there are none, or conditions select requests. */
function formatRest(service: string, parts: readonly ShareChange[]): string[][] {
  const whole = parts.filter(({ isPart = false }) => !isPart);
  if (whole.some(({ match }) => match !== undefined)) return [];
  const [before, after] = (['before', 'after'] as const).map((side) =>
    whole.reduce((left, one) => left - one[side], 1),
  ) as [number, number];
  if (after < MIN_STEP - ROUNDING || Math.abs(after - before) > ROUNDING) return [];
  const share = escapeMarkdown(formatPercent(after));
  return [[formatCode(service), 'others', share, share]];
}

/** The names in the routes of a service: its own, and those of the deployments and clusters behind it. */
export function namesOfService({ service, targets, members }: ServiceChange): string[] {
  const behind = [...targets, ...members].flatMap(({ target, cluster = '' }) => [target, cluster]);
  return [service, ...behind];
}

/** The gateways check the health of targets. */
const NEW_TARGETS = 'A new target gets requests once it serves; until then the others get them.';

/** Whether replicas get requests that others get until they serve. */
function isNewTarget({ before, after, condition, replicas }: ShareChange): boolean {
  return replicas !== undefined && condition === undefined && before === 0 && after > 0 && after < 1;
}

/** The smallest shift between clusters that the table shows, where the share of the deployment stays. */
const MIN_SHIFT = 0.05;

/** The changes without targets of which requests only shift a little: rows of a target that is shown have all of its parts. */
function listShownChanges(services: readonly ServiceChange[]): ShareChange[] {
  const changes = listShareChanges({ services, gateways: [] });
  const parts = groupBy(changes, ({ service, match = '', target }) => [service, match, target].join('\n'));
  return [...parts.values()].filter((all) => !all.every(isSmallShift)).flat();
}

/** Whether a share only follows from where replicas are, and changes by little: what changes routes has it. */
function isSmallShift({ cluster, whole, condition, before, after }: ShareChange): boolean {
  const isShift = cluster !== undefined && whole === undefined && condition === undefined;
  return isShift && before > 0 && after > 0 && Math.abs(after - before) < MIN_SHIFT - ROUNDING;
}

function formatWholeService({ service, action, targets }: ServiceChange): string[][] {
  const [before, after] = action === 'add' ? ['no routes', 'new'] : ['served', 'no routes'];
  const shares = targets.flatMap((one) => toShareChange(service, one));
  if (shares.length === 0) {
    const names = sortUnique(targets.map(({ target }) => formatCode(target))).join(', ');
    return [[formatCode(service), names, before, after]];
  }
  return shares.map((share) => {
    const [, target = '', was = '', is = ''] = formatShares(share);
    return [formatCode(service), target, ...(action === 'add' ? [before, `new, ${is}`] : [was, after])];
  });
}

function formatTarget({ target, cluster, match, isPart, replicas }: ShareChange): string {
  const where = `${cluster === undefined ? '' : ` on ${formatCode(cluster)}`}${formatReplicas(replicas)}`;
  if (isPart) return `of which${where}`;
  return `${formatCode(target)}${where}${match === undefined ? '' : `, with ${formatCode(match)}`}`;
}

/** ` (2 replicas)`, ` (1 → 2 replicas)`. Of a target that is new or goes, those that it has. */
function formatReplicas(replicas: Shares | undefined): string {
  if (!replicas) return '';
  const { before, after } = replicas;
  const from = before > 0 && after > 0 && before !== after ? `${formatCount(before)} → ` : '';
  return ` (${from}${pluralize(after > 0 ? after : before, 'replica')})`;
}
