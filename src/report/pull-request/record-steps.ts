import { groupBy, sortUnique } from '../../base/order';
import { joinNames } from '../../base/text';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { ClusterNeeds, Plan } from '../../plan/plan';
import type { RequiredObject } from '../../render/external-references';
import type { ChangeStep } from '../diff/change-steps';
import { formatCode } from '../document/write-markdown';

/** The most clusters that are named. */
const MAX_NAMED = 5;

/** The most records that are named. */
const MAX_RECORDS = 8;

type Gateways = Pick<FleetDiff['routes'], 'gateways'>;

/**
 * Lists which DNS records lead to new gateways, whose addresses are not known before: those to create, and
 * those that need one more address, because a gateway of their host is on one more cluster. A host that moves to new
 * gateways is a warning.
 */
export function listRecordSteps(
  routes: Gateways,
  { mustExist, mustExistNew }: Pick<Plan, 'mustExist' | 'mustExistNew'>,
): ChangeStep[] {
  return [...listNewRecords(mustExistNew, routes), ...listMoreAddresses(mustExist, routes)];
}

function listNewRecords(needs: readonly ClusterNeeds[], routes: Gateways): ChangeStep[] {
  const records = findLaterRecords(needs, routes);
  if (records.size === 0) return [];
  const targets = [...records.values()].flat();
  const where = joinNames(sortUnique(targets.map(({ cluster }) => cluster)).map(formatCode), MAX_NAMED);
  const names = joinNames([...records.keys()].map(formatCode), MAX_RECORDS);
  const [gateway, have] = targets.length === 1 ? ['gateway', 'has its address'] : ['gateways', 'have their addresses'];
  const record = records.size === 1 ? 'record' : 'records';
  return [
    { time: 'ready', when: `when the ${gateway} on ${where} ${have}`, what: `create the DNS ${record} ${names}.` },
  ];
}

/** The records that gateways on other clusters answer already. */
function listMoreAddresses(needs: readonly ClusterNeeds[], routes: Gateways): ChangeStep[] {
  return [...groupTargets(needs, routes)].flatMap(([name, all]) => {
    const clusters = sortUnique(all.filter(({ isNew }) => isNew).map(({ cluster }) => cluster));
    if (clusters.length === 0 || all.every(({ isNew }) => isNew)) return [];
    const where = joinNames(clusters.map(formatCode), MAX_NAMED);
    return [
      {
        time: 'ready',
        when: `when the ingress gateway on ${where} has its address`,
        what: `add it to the DNS record ${formatCode(name)}; until then no client gets there.`,
      },
    ];
  });
}

/** A gateway that a DNS record leads to. */
interface RecordTarget {
  readonly name: string;
  readonly cluster: string;

  /** Whether the change creates the gateway, so that its address is not known before. */
  readonly isNew: boolean;
}

/** Finds the DNS records, by name, that cannot be created before a change is applied: new gateways alone answer them. */
export function findLaterRecords(
  needs: readonly ClusterNeeds[],
  routes: Gateways,
): ReadonlyMap<string, readonly RecordTarget[]> {
  return new Map([...groupTargets(needs, routes)].filter(([, all]) => all.every(({ isNew }) => isNew)));
}

/** Creates a function that says whether a DNS record leads to a new gateway on a cluster, whose address is not known before. */
export function createNewTargetCheck(
  needs: readonly ClusterNeeds[],
  routes: Gateways,
): (name: string, cluster: string) => boolean {
  const targets = groupTargets(needs, routes);
  return (name, cluster) => targets.get(name)?.some((one) => one.isNew && one.cluster === cluster) ?? false;
}

function groupTargets(
  needs: readonly ClusterNeeds[],
  { gateways }: Gateways,
): ReadonlyMap<string, readonly RecordTarget[]> {
  const added = new Set(
    gateways.flatMap(({ action, kind, cluster, gateway }) => {
      if (action !== 'add' || kind === 'egress') return [];
      const owner = gateway === undefined ? `InferenceCluster ${cluster}` : `InferenceGateway ${gateway}`;
      return [`${cluster} ${owner}`];
    }),
  );
  const targets = needs.flatMap(({ cluster, objects }) =>
    objects
      .filter(isRecord)
      .flatMap(({ name, for: owners }) =>
        owners.map((owner) => ({ name, cluster, isNew: added.has(`${cluster} ${owner}`) })),
      ),
  );
  return groupBy(targets, ({ name }) => name);
}

export function isRecord({ kind }: RequiredObject): boolean {
  return kind === 'DNS record';
}
