import type { FleetDiff } from '../../diff/fleet-diff';
import { partOf } from '../../diff/traffic-share-changes';
import type { Plan } from '../../plan/plan';
import { formatEvictionReason } from '../../plan/rejection-messages';
import { formatCacheChange, formatCauses, type FormatCauses } from '../diff/change-sentences';
import { describeOutages } from '../diff/outage-sentences';
import { formatCloudChanges } from '../diff/cloud-changes-text';
import { formatCopiesChange } from '../diff/copies-changes-text';
import { formatRouteChanges } from '../diff/route-changes-text';
import { type Block, CHANGE_MARKS, type Text } from '../document/document';
import { listOutcomes, plannedOutcomeOf } from '../plan/total-line';
import { type ChangeItem, type ChangeSection, type Mark, REPLICA_MARKS } from './map-data';

/** Lists what changes between two states, apart from replicas on the map and the cost. */
export function listDiffSections(diff: FleetDiff): ChangeSection[] {
  return withoutEmpty([
    { title: 'Downtime', items: describeOutages(diff).map((text) => ({ text })) },
    {
      title: 'Copies',
      items: diff.copies.map((change) => ({ text: `${change.deployment}: ${formatCopiesChange(change)}` })),
    },
    { title: 'Routes', items: toItems(formatRouteChanges(diff.routes, putCausesApart)) },
    { title: 'Caches', items: diff.caches.map((change) => toItem(formatCacheChange(change, putCausesApart))) },
    { title: 'Cloud resources', items: toItems(formatCloudChanges(diff.cloud, putCausesApart)) },
  ]);
}

/** Lists the services with routes before and after of which targets get another share of the requests. */
export function listTrafficChanges({ routes }: Pick<FleetDiff, 'routes'>): string[] {
  const changed = routes.services.filter(({ action, targets }) => {
    return action === 'change' && targets.some(({ before, after }) => partOf(before) !== partOf(after));
  });
  return changed.map(({ service }) => service);
}

/** Lists the replicas that a plan removes, because the drawn state does not contain them. */
export function listRemovalSections({ deployments }: Plan): ChangeSection[] {
  const items = deployments.flatMap(({ deployment, changes }) =>
    changes.flatMap((change): ChangeItem[] => {
      if (change.action !== 'remove') return [];
      const { cluster, index } = change.from;
      return [{ text: `${deployment} ${cluster}/${index}: ${formatEvictionReason(change.reason)}.` }];
    }),
  );
  return withoutEmpty([{ title: 'Removed replicas', items }]);
}

function withoutEmpty(sections: readonly ChangeSection[]): ChangeSection[] {
  return sections.filter(({ items }) => items.length > 0);
}

/** Puts causes on a line of their own, which `toItem` puts below the change. */
function putCausesApart(causes: Parameters<FormatCauses>[0]): string {
  return causes.length === 0 ? '' : `\n${formatCauses(causes)}`;
}

/** Converts blocks of a text to items: the indentation becomes nesting. */
function toItems(blocks: readonly Block[]): ChangeItem[] {
  const items: ChangeItem[] = [];
  for (const block of blocks) {
    const last = items.at(-1);
    if (typeof block !== 'string' && 'blocks' in block && last) {
      items[items.length - 1] = { ...last, below: [...(last.below ?? []), ...toItems(block.blocks)] };
    } else items.push(...itemsOf(block));
  }
  return items;
}

function itemsOf(block: Block): ChangeItem[] {
  if (typeof block === 'string') return block.trim() === '' ? [] : [toItem(block)];
  if ('blocks' in block) return toItems(block.blocks);
  if ('rows' in block) return block.rows.map((row) => ({ text: row.join(', ') }));
  // Everything in the list changes: only what is new or removed has a sign.
  const sign = block.mark === CHANGE_MARKS.change ? '' : (block.mark?.sign ?? '');
  const parts = [sign, ...(block.cells ?? []), plainText(block.text)];
  return [toItem(parts.filter((part) => part !== '').join(' '), toItems(block.below ?? []))];
}

function toItem(line: string, others: readonly ChangeItem[] = []): ChangeItem {
  const [text = '', why] = line.split('\n').map((part) => part.trim());
  const below = [...(why === undefined ? [] : [{ text: `because ${why}` }]), ...others];
  return { text, ...(below.length > 0 && { below }) };
}

function plainText(text: Text): string {
  if (typeof text === 'string') return text.trim();
  return text
    .map((part) => (typeof part === 'string' ? part : part.text))
    .join('')
    .trim();
}

/** Counts the replicas that change, by index in `REPLICA_MARKS`, as the total of the plan does. */
export function countChanges(plan: Pick<Plan, 'deployments'>, diff: FleetDiff | undefined): number[] {
  const marks: Mark[] = diff
    ? listOutcomes(diff)
    : plan.deployments.flatMap(({ changes }) => changes.map(plannedOutcomeOf));
  return REPLICA_MARKS.map((mark) => marks.filter((one) => one === mark).length);
}
