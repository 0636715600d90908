import { domainLabel, domainsOf } from '../api/domains';
import { FleetwrightError } from '../errors';
import type { Fleet } from '../fleet';
import { nearest } from '../nearest';
import { fitted } from './fitted';
import { asErrors } from '../plan/annotations';
import { refusedProblems } from '../plan/survival-problems';
import { formatRefused, formatRequired, formatSurvival, formatSurvivalTotal } from '../plan/survival-text';
import { refusedBelow } from '../survive/refused';
import { survive as survivalOf } from '../survive/survive';
import { labelsOf } from '../api/cluster-labels';
import { type CommonFlags, decideFleet } from './context';
import { EXIT, type ExitCode } from './exit-code';
import { readLock } from './inputs';
import { annotate, type Io, print } from './output';
import type { SurvivalDocument } from './trial-documents';

export interface SurviveFlags extends CommonFlags {
  /** A failure domain, or the label of one. Default: clusters are lost. */
  readonly domain?: string;

  /** The fewest replicas of each deployment, and behind each service, that must serve on at once. Default: none. */
  readonly require?: string;
}

/**
 * `fleetwright survive`: what stays of every deployment and service when any one cluster, or failure domain, is lost.
 * Writes nothing. With `--require N` it exits with 4 where a deployment keeps fewer than N replicas at once, or a
 * service has fewer behind it or no gateway.
 */
export function survive(target: string, flags: SurviveFlags, io: Io): ExitCode {
  const required = requiredOf(flags);
  const decided = decideFleet(target, flags, io, readLock);
  const { fleet } = decided;
  const survival = survivalOf(decided, flags.domain === undefined ? undefined : labelOf(flags.domain, fleet));
  const refused = refusedBelow(required, survival);
  const gateLine = required > 0 ? [formatRequired(survival, refused, required)] : [];
  const { currency } = fleet.hardware.prices;
  print<SurvivalDocument>(
    'Survival',
    { stale: decided.stale, ...survival, ...(required > 0 && { required, ...refused }) },
    (style) => {
      const text = flags.quiet ? formatSurvivalTotal(survival) : formatSurvival(survival, currency, style);
      const lines = [text, ...gateLine.map(style.strong)];
      return `${fitted(lines.join('\n'), io.width)}\n`;
    },
    { flags, io },
  );
  for (const line of flags.json ? [] : formatRefused(refused, required)) io.err(`${line}\n`);
  annotate(() => asErrors(refusedProblems(refused, required, decided)), flags, io);
  return refused.refused.length + refused.refusedServices.length > 0 ? EXIT.refused : EXIT.ok;
}

function requiredOf({ require = '0' }: SurviveFlags): number {
  if (/^\d{1,4}$/.test(require)) return Number(require);
  const what = `'${require}' is no number of replicas`;
  throw new FleetwrightError([
    { code: 'bad-flag', where: '--require', what, hint: 'Write a whole number: 1' },
  ]);
}

function labelOf(domain: string, { clusters, settings }: Fleet): string {
  const label = domainLabel(domain, settings);
  const labels = clusters.map(labelsOf);
  if (labels.some((one) => one[label] !== undefined)) return label;
  const near = nearest(domain, [...Object.keys(domainsOf(settings)), ...labels.flatMap(Object.keys)]);
  const what = `no cluster is in a failure domain '${domain}'`;
  const hint = near
    ? `Did you mean '${near}'?`
    : 'Use region, provider, a name of Fleet.spec.domains or a cluster label';
  throw new FleetwrightError([{ code: 'no-such-domain', where: '--domain', what, hint }]);
}
