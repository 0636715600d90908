import { groupBy, sortUnique } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { ClusterNeeds } from '../../plan/plan';
import { CONTROL_PLANE_KINDS } from '../../provision/cloud-resources';
import type { RequiredObject } from '../../render/external-references';
import type { Block, Item } from '../document/document';
import { EACH_CHANGE } from '../document/write-markdown';
import { MAX_GROUP_NAMES, mergeAlike, nameClusters } from '../document/group-alike';
import { mergeRequiredObjects } from '../plan/required-objects-text';
import { createNewTargetCheck, findLaterRecords, isRecord } from './record-steps';

/** What must exist, is new with a change, and is for people to create, by the time at which they can. */
export interface NewNeeds {
  /** Before manifests are applied. */
  readonly first: readonly ClusterNeeds[];

  /** On clusters that the change creates: when these are there. */
  readonly onNewClusters: readonly ClusterNeeds[];

  /** DNS records of gateways that the change creates: when these have their addresses. */
  readonly records: readonly ClusterNeeds[];
}

type Changes = Pick<FleetDiff, 'routes' | 'cloud'>;

/** Sorts what must exist and is new with a change. What stacks create is left out. */
export function sortNewNeeds(needs: readonly ClusterNeeds[], { routes, cloud }: Changes): NewNeeds {
  const made = new Set(listCreatedClusters({ cloud }));
  const later = findLaterRecords(needs, routes);
  const isNewTarget = createNewTargetCheck(needs, routes);
  const isLater = (one: RequiredObject): boolean => isRecord(one) && later.has(one.name);
  const left = selectObjects(needs, ({ createdByStack }) => !createdByStack);
  const known = selectObjects(left, (one) => !isLater(one));
  return {
    first: selectObjects(known, (one, cluster) =>
      isRecord(one) ? !isNewTarget(one.name, cluster) : !made.has(cluster),
    ),
    onNewClusters: selectObjects(known, (one, cluster) => !isRecord(one) && made.has(cluster)),
    records: selectObjects(left, isLater),
  };
}

/** Formats all of what must exist and is new with a change, by the time at which people can create it. */
export function formatNewNeeds(needs: readonly ClusterNeeds[], changes: Changes): Block[] {
  const { first, onNewClusters, records } = sortNewNeeds(needs, changes);
  const [leading, onClusters] = [selectObjects(first, isRecord), selectObjects(first, (one) => !isRecord(one))];
  return [
    ...mergeRequiredObjects(onClusters, 'Before manifests are applied, on clusters:', EACH_CHANGE),
    ...formatRecords(leading, 'Before manifests are applied:'),
    ...mergeRequiredObjects(onNewClusters, 'When the stack has created the cluster:', EACH_CHANGE),
    ...formatRecords(records, 'When the gateways have their addresses:'),
  ];
}

/** DNS records, which are on no cluster. */
function formatRecords(needs: readonly ClusterNeeds[], title: string): Item[] {
  if (needs.length === 0) return [];
  const targets = needs.flatMap(({ cluster, objects }) => objects.map(({ name }) => ({ name, cluster })));
  const below = mergeAlike([...groupBy(targets, ({ name }) => name)], {
    keyOf: ([name]) => name,
    kindOf: ([, all]) => nameGateways(all.length),
    one: ([name, all]) =>
      `DNS record ${name}, to the ${nameGateways(all.length)} on ${joinNames(all.map(({ cluster }) => cluster))}`,
    several: (all) => {
      const [names, records] = [all.map(([name]) => name), all.flatMap(([, one]) => one)];
      const which = joinNames(names, MAX_GROUP_NAMES);
      const clusters = nameClusters(records.map(({ cluster }) => cluster));
      return `${pluralize(all.length, 'DNS record')}, each to its ${nameGateways(all[0][1].length)} on ${clusters}: ${which}`;
    },
  });
  return [{ look: 'strong', text: title, below }];
}

function nameGateways(count: number): string {
  return count === 1 ? 'gateway' : 'gateways';
}

/** The clusters that stacks create, or delete and create again, sorted. */
export function listCreatedClusters({ cloud }: Pick<FleetDiff, 'cloud'>): string[] {
  return sortUnique(cloud.filter(isNewCluster).map(({ cluster }) => cluster));
}

/** A cluster that is created, or deleted and created again. */
function isNewCluster({ kind, action }: FleetDiff['cloud'][number]): boolean {
  return CONTROL_PLANE_KINDS.has(kind) && (action === 'create' || action === 'replace');
}

function selectObjects(
  needs: readonly ClusterNeeds[],
  isSelected: (object: RequiredObject, cluster: string) => boolean,
): ClusterNeeds[] {
  return needs.flatMap(({ cluster, objects }) => {
    const selected = objects.filter((one) => isSelected(one, cluster));
    return selected.length > 0 ? [{ cluster, objects: selected }] : [];
  });
}
