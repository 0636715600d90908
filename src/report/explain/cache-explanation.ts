import { formatCount } from '../../base/figures';
import type { CacheView } from '../../analyze/explain/cache-view';
import { LACKS } from '../../api/cluster-storage';
import { formatUnitPrice } from '../../base/money';
import { groupBy } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import type { VolumeCost } from '../../cost/cost';
import { type Block, type Item, section, strong } from '../document/document';

/** Formats a cache as one line: `ml/weights: S3 s3://models/llama, on 2 clusters, 3 deployments use it`. */
export function formatCacheSummary({ cache, source, from, clusters, users }: CacheView): Item {
  const origin = from === undefined ? source : `${source} ${from}`;
  const where = clusters.length === 0 ? 'on no cluster' : `on ${pluralize(clusters.length, 'cluster')}`;
  const used = `${pluralize(users.length, 'deployment')} ${users.length === 1 ? 'uses' : 'use'} it`;
  return { text: [strong(cache), `: ${origin}, ${where}, ${used}`] };
}

/**
 * Formats a cache: how and where its files are, what that costs, who uses it, and why other clusters do not have it.
 *
 * @param state where it is staged, as a plan says it
 */
export function formatCacheExplanation(view: CacheView, state: string, currency: string): Block[] {
  const { clusters, users, others } = view;
  const stated = [...groupBy(others, (one) => describeAbsence(one))];
  return [
    formatCacheSummary(view),
    '',
    state,
    '',
    ...section(
      clusters.map(({ cluster, pods, volume }): Item => {
        const facts = [
          ...(volume ? [formatVolume(volume, currency)] : []),
          pods === 0 ? 'no pod mounts it' : `${pluralize(pods, 'pod')} ${pods === 1 ? 'mounts' : 'mount'} it`,
        ];
        return { cells: [cluster], text: facts.join('; ') };
      }),
    ),
    ...section([
      {
        text: users.length === 0 ? 'No deployment uses it.' : 'Used by:',
        below: users.map(({ deployment, as, replicas }): Item => {
          const places = replicas.length === 0 ? 'no replica has a place' : joinNames(replicas, MOST_NAMED);
          return { cells: [deployment, `as ${as}`], text: places };
        }),
      },
    ]),
    ...section(
      stated.map(
        ([why, all]) =>
          `Not on ${joinNames(
            all.map(({ cluster }) => cluster),
            MOST_NAMED,
          )}: ${why}.`,
      ),
    ),
  ];
}

const MOST_NAMED = 8;

function describeAbsence({ lacks, unselected }: CacheView['others'][number]): string {
  if (unselected) return 'clusterSelector of the cache does not select it';
  if (lacks !== undefined) return `it ${LACKS[lacks].what}. ${LACKS[lacks].cure}`;
  return 'no replica there mounts it';
}

function formatVolume({ sizeGiB, price }: VolumeCost, currency: string): string {
  if (!price) return `${formatCount(sizeGiB)} GiB, price unknown`;
  const { perGiBMonth, source, asOf } = price;
  return `${formatCount(sizeGiB)} GiB, ${formatUnitPrice(perGiBMonth * sizeGiB, currency)} a month (${source}, ${asOf})`;
}
