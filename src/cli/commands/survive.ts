import { findRefusals, type RequiredReplicas, surviveReporting } from '../../analyze/survive/survive';
import { clusterLabelsOf, failureDomainsOf, resolveDomainLabel } from '../../api/cluster-labels';
import { suggestName } from '../../base/name-suggestion';
import { formatCommandArguments, quoteShellWord } from '../../base/text';
import type { Fleet } from '../../fleet/fleet';
import { formatRefused, formatSurvivalGate, toSurvivalProblems } from '../../report/analyze/survival-gate-text';
import { formatSurvival, formatSurvivalTotal } from '../../report/analyze/survival-text';
import { styledLines } from '../../report/document/document';
import { commandError, meantHint } from '../command-error';
import { type CommonFlags, PLACES } from '../decide-fleet';
import { decideValidResources } from '../decide-valid-resources';
import { chooseExitCode, EXIT, type ExitCode } from '../exit-code';
import { faultExitCodesOf, printFaults, toFaultFields } from '../resource-errors';
import type { SurvivalDocument } from '../json-documents';
import { type Io, printAnnotations, printResult } from '../output';

export interface SurviveFlags extends CommonFlags {
  /** A failure domain, or its label. Default: single clusters are lost. */
  readonly domain?: string;
  readonly require?: string;

  /** Whether deployments that keep serving are listed where there are many losses. Default: they are counted. */
  readonly all?: boolean;
}

/**
 * `fleetwright survive`: shows what remains of each deployment and service when any one cluster, or failure domain,
 * is lost. Writes nothing. With `--require N`, it exits with 4 if a deployment keeps fewer than N replicas, or a
 * service has fewer replicas behind it or no gateway; with `--require minAvailable`, if a deployment keeps fewer than it
 * declares. Resources with errors count as the lock has them.
 */
export function runSurvive(target: string, flags: SurviveFlags, io: Io): ExitCode {
  const required = parseRequired(flags);
  const decided = decideValidResources(target, { ...flags, ...PLACES }, io);
  const label = flags.domain === undefined ? undefined : findDomainLabel(flags.domain, decided.fleet);
  const survival = surviveReporting(decided, label, (what) => io.progress?.(what));
  const refused = findRefusals(required, survival);
  printResult<SurvivalDocument>(
    'Survival',
    {
      outOfDate: decided.outOfDate,
      ...survival,
      ...(required !== 0 && { required, ...refused }),
      ...toFaultFields(decided),
    },
    () => [
      ...(flags.quiet
        ? formatSurvivalTotal(survival)
        : formatSurvival(survival, flags.all ? undefined : formatAllCommand(target, flags))),
      ...styledLines('strong', required !== 0 ? [formatSurvivalGate(survival, refused, required)] : []),
    ],
    { flags, io, fit: true },
  );
  printFaults(decided, flags, io);
  for (const line of flags.json ? [] : formatRefused(refused, required)) io.err(`${line}\n`);
  printAnnotations(() => [...decided.problems, ...toSurvivalProblems(refused, required, decided)], flags, io);
  const isRefused = refused.refused.length + refused.refusedServices.length > 0;
  return chooseExitCode([...faultExitCodesOf(decided), ...(isRefused ? [EXIT.refused] : [])]);
}

function formatAllCommand(target: string, { domain, lock }: SurviveFlags): string {
  const words = domain === undefined ? [] : ['--domain', quoteShellWord(domain)];
  return ['fleetwright survive', formatCommandArguments(target, lock), ...words, '--all'].join(' ');
}

function parseRequired({ require = '0' }: SurviveFlags): RequiredReplicas {
  if (require === 'minAvailable') return require;
  if (/^\d{1,4}$/.test(require)) return Number(require);
  const what = `'${require}' is not a number of replicas`;
  throw commandError('bad-flag', '--require', what, 'Write a whole number, such as 1, or minAvailable');
}

function findDomainLabel(domain: string, { clusters, settings }: Fleet): string {
  const label = resolveDomainLabel(domain, settings);
  const labels = clusters.map(clusterLabelsOf);
  if (labels.some((one) => one[label] !== undefined)) return label;
  const near = suggestName(domain, [...Object.keys(failureDomainsOf(settings)), ...labels.flatMap(Object.keys)]);
  const what = `no cluster is in a failure domain '${domain}'`;
  const hint = meantHint(near, 'Use cluster, region, provider, a name of Fleet.spec.domains or a cluster label');
  throw commandError('no-such-domain', '--domain', what, hint);
}
