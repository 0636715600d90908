import { copyBoundsOf } from '../../api/engine-copies';
import type { PolicyLimits, PolicyRule } from '../../api/policy-file';
import { parseNamespace } from '../../api/resource';
import { formatCount } from '../../base/figures';
import { formatAmount } from '../../base/money';
import { groupBy } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import { type Fleet, indexDeploymentsById } from '../../fleet/fleet';
import type { PolicyDiagnostic } from '../../fleet/policy';
import { type Placement, placementKeyOf } from '../../scheduler/placement';
import { type PolicyInput, sumCounts } from './limits';

/** What deployments use of a limit on devices or money. */
type LargestUsers = Pick<PolicyDiagnostic, 'users' | 'smaller'>;

/** A limit that is exceeded, and by how much. */
interface ExceededLimit {
  readonly field: keyof PolicyLimits;
  readonly rule: PolicyRule;
  readonly excess: number;
}

interface DeploymentUse {
  /** `namespace/name`. */
  readonly deployment: string;
  readonly amount: number;

  /** What copies use beyond the fewest that an autoscaler keeps. */
  readonly scaled: number;

  /** What each replica uses that does not drain. */
  readonly replicas: readonly number[];
}

const MOST_USERS = 3;

/**
 * Finds what uses most of a limit, and fewer copies or replicas of one deployment that meet it. Undefined: it is no limit
 * on what deployments use.
 *
 * @param previous the lock. Of a deployment with new replicas, no fewer are advised
 */
export function findLargestUsers(
  { field, rule, excess }: ExceededLimit,
  input: PolicyInput,
  previous: { readonly placements: readonly Placement[] } | undefined,
): LargestUsers | undefined {
  const used = listUses(field, rule, input);
  if (!used) return undefined;
  const largest = used.uses.toSorted((a, b) => b.amount - a.amount).slice(0, MOST_USERS);
  const known = previous && new Set(previous.placements.map(placementKeyOf));
  const added = input.placements.filter((one) => known && !known.has(placementKeyOf(one)));
  const growing = new Set(added.map(({ deployment }) => deployment));
  const smaller = largest
    .filter(({ deployment }) => !growing.has(deployment))
    .flatMap((one) => lowerCopies(one, excess, input.fleet) ?? lowerReplicas(one, excess) ?? []);
  const users = largest.map(({ deployment, amount }) => `${deployment} (${used.format(amount)})`);
  return {
    ...(users.length > 1 && { users: joinNames(users) }),
    ...(smaller.length > 0 && { smaller }),
  };
}

interface Uses {
  readonly uses: readonly DeploymentUse[];
  readonly format: (amount: number) => string;
}

function listUses(
  field: keyof PolicyLimits,
  { deviceQuota, budget }: PolicyRule,
  { devices, cost }: PolicyInput,
): Uses | undefined {
  if (field === 'deviceQuota' && deviceQuota) {
    const { namespace, deviceClass } = deviceQuota;
    const own = devices.filter((one) => one.deviceClass === deviceClass && isIn(namespace, one.namespace));
    const uses = [...groupBy(own, ({ deployment = '' }) => deployment)].flatMap(([deployment, all]) => {
      return deployment === '' ? [] : [toDeviceUse(deployment, all)];
    });
    return { uses, format: formatCount };
  }
  // The nodes of a fleet cost as much with fewer replicas.
  if (field !== 'budget' || budget?.namespace === undefined) return undefined;
  const uses = cost.deployments.flatMap(({ deployment, cost: sum, replicas }): DeploymentUse[] => {
    if (parseNamespace(deployment) !== budget.namespace) return [];
    const each = replicas.filter(({ draining }) => !draining).map((one) => one.cost.perMonth ?? 0);
    return [{ deployment, amount: sum.perMonth ?? 0, scaled: 0, replicas: each }];
  });
  return { uses, format: (amount) => formatAmount(amount, cost.currency) };
}

function isIn(namespace: string | undefined, own: string): boolean {
  return namespace === undefined || own === namespace;
}

function toDeviceUse(deployment: string, all: PolicyInput['devices']): DeploymentUse {
  const staying = all.filter(({ draining }) => !draining);
  const replicas = [...groupBy(staying, ({ replica = '' }) => replica).values()].map(sumCounts);
  return { deployment, amount: sumCounts(all), scaled: sumCounts(staying.filter((one) => one.scaled)), replicas };
}

/** `'copies.max: 8' instead of 12 in engine vllm of ml/a`. Undefined where one engine alone does not scale enough. */
function lowerCopies(
  { deployment, scaled, replicas }: DeploymentUse,
  excess: number,
  { deployments }: Pick<Fleet, 'deployments'>,
): string | undefined {
  const engines = indexDeploymentsById(deployments).get(deployment)?.spec.template.spec.engines ?? [];
  const [engine, ...others] = engines.map((one) => ({ name: one.name, ...copyBoundsOf(one) })).filter(isScaled);
  if (!engine || others.length > 0 || replicas.length === 0) return undefined;
  const { name, min, max } = engine;
  const ofCopy = scaled / (max - min);
  const to = max - Math.ceil(excess / ofCopy);
  if (scaled === 0 || to < Math.max(1, min)) return undefined;
  return `'copies.max: ${to}' instead of ${max} in engine ${name} of ${deployment}`;
}

function isScaled({ min, max }: { readonly min: number; readonly max: number }): boolean {
  return max > min;
}

/** `2 replicas of ml/a instead of 3`: enough whichever replicas go. Undefined where it keeps none. */
function lowerReplicas({ deployment, replicas }: DeploymentUse, excess: number): string | undefined {
  const rising = replicas.toSorted((a, b) => a - b);
  let freed = 0;
  const removed = rising.findIndex((one) => (freed += one) >= excess) + 1;
  const to = rising.length - removed;
  return removed === 0 || to === 0
    ? undefined
    : `${pluralize(to, 'replica')} of ${deployment} instead of ${rising.length}`;
}
