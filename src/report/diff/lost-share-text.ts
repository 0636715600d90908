import { formatRoundPercent } from '../../base/figures';
import { sortUnique } from '../../base/order';
import { joinNames } from '../../base/text';
import type { OutageFinding, Unselected } from '../../diff/deployment-findings';
import type { LostShare } from '../../diff/lost-shares';
import { formatRise, isLarge } from '../../diff/service-warnings';

const MAX_NAMED = 3;

/**
 * What clients see while replicas do not serve, as clauses: `all requests for ml/coder fail`, `during the rollout,
 * other targets get its 5 % of the requests for the service ml/chat: ml/llama on eu (2 replicas)`. Empty: that is not known.
 */
export function describeShares({
  change: { deployment },
  shares,
  unselected,
}: Pick<OutageFinding, 'change' | 'shares' | 'unselected'>): string[] {
  if (shares.length > 0) return sortUnique(shares.map(formatLostShare));
  if (!unselected) return [];
  const until = unselected.isSelectedLater ? ' before this change' : '';
  return [`no service selects ${deployment}${until}, ${UNSELECTED[unselected.reach]}`];
}

/** Who requests a deployment that no service selects. */
const UNSELECTED: Readonly<Record<Unselected['reach'], string>> = {
  unreachable: 'and no client can reach it',
  inClusters: 'so only clients in its clusters can notice',
};

function formatLostShare({ service, match, share, takers, load, rise = 1, isFallback, isPossible }: LostShare): string {
  const part = share >= 1 ? 'all' : `${formatRoundPercent(share)} of the`;
  const requests = `${part} requests for the service ${service}${match === '' ? '' : ` with ${match}`}`;
  const may = isPossible ? 'may ' : '';
  if (takers.length === 0) return `${requests} ${may}fail`;
  const where = joinNames(takers, MAX_NAMED);
  const to = isFallback ? `tier 1, ${where}` : `${where}${load}`;
  const [it, gets] = takers.length === 1 ? ['it', 'gets'] : ['they', 'get'];
  const more = isLarge(rise)
    ? `, ${formatRise(rise)} what ${it} ${gets} today, and what ${it} cannot take gets 429`
    : '';
  if (share >= 1) return `${requests} ${may}go to ${to} during the rollout${more}`;
  // A service often has the name of one of its targets.
  return `during the rollout, other targets ${may}get its ${requests}: ${to}${more}`;
}
