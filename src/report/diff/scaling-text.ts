import { groupBy } from '../../base/order';
import { joinAnd, joinNames } from '../../base/text';
import type { NewReleases } from '../../diff/new-releases';
import type { ScalingPace } from '../../diff/scaling-paces';
import { formatPace } from '../../plan/scaling-notes';

/** The most clusters or deployments that are named. */
const MAX_NAMED = 5;

type FormatName = (name: string) => string;

/** Says which releases clusters need before manifests are applied, and what installs them. */
export function describeNewReleases(all: readonly NewReleases[] = [], format: FormatName = String): string[] {
  const groups = groupBy(all, ({ created, releases }) => [created, ...releases].join(' '));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const [releases, it] = [joinAnd(first.releases.map(format)), first.releases.length === 1 ? 'it' : 'them'];
    const clusters = joinNames(
      group.map(({ cluster }) => format(cluster)),
      MAX_NAMED,
    );
    const [stack, installs] = group.length === 1 ? ['stack', 'installs'] : ['stacks', 'install'];
    const what = first.created
      ? `the Pulumi ${stack} of ${clusters} ${installs} ${releases}`
      : `${releases} on ${clusters}: a Pulumi stack installs ${it}, or the commands of ${format('fleetwright plan --all')}`;
    return [`First, before manifests are applied: ${what}.`];
  });
}

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
