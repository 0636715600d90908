import type { FleetDiff } from '../../diff/fleet-diff';
import type { RouteChanges } from '../../diff/route-changes';
import { partOf } from '../../diff/traffic-share-changes';
import type { Plan } from '../../plan/plan';
import { formatEvictionReason } from '../../plan/rejection-messages';
import { formatCacheChange, type FormatCauses } from '../diff/change-sentences';
import { describeOutages } from '../diff/outage-sentences';
import { formatCloudChanges } from '../diff/cloud-changes-text';
import { formatCopiesChange } from '../diff/copies-changes-text';
import { formatGatewayChange, formatServiceLine } from '../diff/route-changes-text';
import { type Block, CHANGE_MARKS, type Text } from '../document/document';
import { listOutcomes, plannedOutcomeOf } from '../plan/total-line';
import { type ChangeItem, type ChangeSection, type MapData, type Mark, REPLICA_MARKS } from './map-data';
import { NumberedCauses, readCitation } from './numbered-causes';

/** Lists what changes between two states, apart from replicas on the map and the cost, and the edits that cause it. */
export function listDiffSections(diff: FleetDiff): Required<Pick<MapData, 'changes' | 'causes'>> {
  const causes = new NumberedCauses();
  const { cite } = causes;
  const changes = withoutEmpty([
    { title: 'Downtime', items: describeOutages(diff).map((text) => ({ text })) },
    {
      title: 'Copies',
      items: diff.copies.map((change) => ({ text: `${change.deployment}: ${formatCopiesChange(change)}` })),
    },
    { title: 'Routes', items: listRouteItems(diff.routes, cite) },
    { title: 'Caches', items: diff.caches.map((change) => toItem(formatCacheChange(change, cite))) },
    { title: 'Cloud resources', items: toItems(formatCloudChanges(diff.cloud, cite)) },
  ]);
  return { changes, causes: causes.list() };
}

function listRouteItems({ services, gateways }: RouteChanges, cite: FormatCauses): ChangeItem[] {
  const routes = services.flatMap((change) => {
    const { service, targets, members } = change;
    const isDivided = targets.length === 0 && members.length > 0;
    const divided = isDivided ? [{ text: 'its targets keep their shares; shares of their clusters change' }] : [];
    return itemsOf(formatServiceLine(change, cite)).map((item): ChangeItem => {
      const below = [...(item.below ?? []), ...divided];
      return { ...item, service, ...(below.length > 0 && { below }) };
    });
  });
  return [...routes, ...gateways.flatMap((gateway) => itemsOf(formatGatewayChange(gateway, cite)))];
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

function toItem(line: string, below: readonly ChangeItem[] = []): ChangeItem {
  const { text, causes } = readCitation(line);
  return { text: text.trim(), ...(causes.length > 0 && { causes }), ...(below.length > 0 && { below }) };
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
