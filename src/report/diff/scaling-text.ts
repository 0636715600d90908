import { groupBy } from '../../base/order';
import { joinAnd, joinNames } from '../../base/text';
import type { NewReleases } from '../../diff/new-releases';
import type { ScalingPace } from '../../diff/scaling-paces';
import { formatPace } from '../../plan/scaling-notes';
import type { ChangeStep } from './change-steps';

/** The most clusters or deployments that are named. */
const MAX_NAMED = 5;

type FormatName = (name: string) => string;

/** Says which releases clusters need before manifests are applied, and what installs them. */
export function describeNewReleases(all: readonly NewReleases[] = [], format: FormatName = String): ChangeStep[] {
  const groups = groupBy(all, ({ created, releases }) => [created, ...releases].join(' '));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const releases = joinAnd(first.releases.map((name) => `${format(name)}${name === 'lws' ? FOR_GANGS : ''}`));
    const clusters = joinNames(
      group.map(({ cluster }) => format(cluster)),
      MAX_NAMED,
    );
    const up = format('pulumi up');
    const tool = first.created
      ? `${up} of ${group.length === 1 ? 'its stack' : 'their stacks'}`
      : `${up} where a FleetStack installs ${first.releases.length === 1 ? 'it' : 'them'}, otherwise the commands of ${format('fleetwright plan --all')}`;
    return [{ time: 'before', what: `install ${releases} on ${clusters} (${tool}).`, isByStack: true }];
  });
}

const FOR_GANGS = ' (LeaderWorkerSet, which gangs need)';

/** Says how fast autoscalers add copies, and what sets that. Engines of the same pace share a line. */
export function describePaces(all: readonly ScalingPace[] = [], format: FormatName = String): string[] {
  const groups = groupBy(all, ({ pods, minutes }) => `${pods} ${minutes}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const names = group.map(({ deployment, engine }) => {
      return `${engine === undefined ? '' : `engine ${format(engine)} of `}${format(deployment)}`;
    });
    const source = `${format('scaling.up.every')}; its default is the startup budget, at most 30 minutes`;
    return [`Scaling of ${joinNames(names, MAX_NAMED)} adds ${formatPace(first)} (${source}).`];
  });
}
