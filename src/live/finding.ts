import { asWarning, type Diagnostic, errorAt, type Severity } from '../base/diagnostic';
import type { MissingListing } from './listing';

/** The level of a finding. `unknown`: the user lacks a permission, or the cluster did not answer. */
export type FindingLevel = 'ok' | 'warning' | 'failure' | 'unknown';

/** The level that output shows for each severity of a check. */
export const LEVEL_OF: Readonly<Record<Severity, FindingLevel>> = {
  ok: 'ok',
  warning: 'warning',
  error: 'failure',
  unknown: 'unknown',
};

/** The result of a check, without its name and its cluster. */
export type CheckResult = Pick<Diagnostic, 'severity' | 'message' | 'hint'>;

/** Creates the result of a check that passes. */
export function reportOk(message: string): CheckResult {
  return { severity: 'ok', message };
}

/** Creates the result of a check that passes but needs attention. */
export function reportWarning(message: string, hint: string): CheckResult {
  return { severity: 'warning', message, hint };
}

/** Creates the result of a check that fails: the planned change will not work. */
export function reportFailure(message: string, hint: string): CheckResult {
  return { severity: 'error', message, hint };
}

/** Creates the result of a check that could not run. */
export function reportUnknown(message: string, hint: string): CheckResult {
  return { severity: 'unknown', message, hint };
}

/** The diagnostic of a cluster whose API server does not answer. */
export function reportNoAnswer(cluster: string, why: string): Diagnostic {
  return errorAt('api-server', cluster, why, 'Check the network, the kubeconfig and your credentials');
}

/** Counts the rows of each level. */
export function countLevels(rows: readonly { readonly level: FindingLevel }[]): Record<FindingLevel, number> {
  const counts: Record<FindingLevel, number> = { ok: 0, warning: 0, failure: 0, unknown: 0 };
  for (const { level } of rows) counts[level] += 1;
  return counts;
}

/** The findings on a cluster, as problems and warnings for a planned change. */
export interface ClusterProblems {
  /** Findings that make the change fail. */
  readonly problems: readonly Diagnostic[];

  /** Findings that need attention, and checks that could not run. */
  readonly warnings: readonly Diagnostic[];
}

/** Sorts findings into problems and warnings. Their positions name the cluster and the check. */
export function toClusterProblems(findings: readonly Diagnostic[]): ClusterProblems {
  const ofSeverity = (...severities: Severity[]): Diagnostic[] =>
    findings
      .filter(({ severity }) => severities.includes(severity))
      .map((one) => ({ ...one, code: 'cluster-check', severity: 'error', at: `${one.at}: ${one.code}` }));
  return { problems: ofSeverity('error'), warnings: ofSeverity('warning', 'unknown').map(asWarning) };
}

/** Reports objects that cannot be listed. Another check reports kinds that the cluster does not serve. */
export function reportUnlisted({ missing, why }: MissingListing, objects: string): readonly CheckResult[] {
  if (missing === 'unserved') return [];
  if (missing === 'forbidden')
    return [reportUnknown(`permission to list ${objects} is missing`, `Request the permission: ${why}`)];
  return [reportUnknown(`the ${objects} could not be listed`, `Try again: ${why}`)];
}
