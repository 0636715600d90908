import { asWarning, type Diagnostic, errorAt, type Severity } from '../base/diagnostic';
import type { Listing } from './live-object';

/** How it stands with one thing. `unknown`: whoever asks may not see it, or the cluster did not say. */
export const LEVELS = ['ok', 'warning', 'failure', 'unknown'] as const;

/** How it stands with one thing. */
export type FindingLevel = (typeof LEVELS)[number];

/** What users read for each severity of a check. */
export const LEVEL_OF: Readonly<Record<Severity, FindingLevel>> = {
  ok: 'ok',
  warning: 'warning',
  error: 'failure',
  unknown: 'unknown',
};

/** What a check says, without its name and its cluster. */
export type CheckResult = Pick<Diagnostic, 'severity' | 'message' | 'hint'>;

/** All is well. */
export function reportOk(message: string): CheckResult {
  return { severity: 'ok', message };
}

/** It works, and somebody should look at it. */
export function reportWarning(message: string, hint: string): CheckResult {
  return { severity: 'warning', message, hint };
}

/** What is planned will not work. */
export function reportFailure(message: string, hint: string): CheckResult {
  return { severity: 'error', message, hint };
}

/** Nobody could look. */
export function reportUnknown(message: string, hint: string): CheckResult {
  return { severity: 'unknown', message, hint };
}

/** The only diagnostic of a cluster whose API server gives no answer. */
export function reportNoAnswer(cluster: string, why: string): Diagnostic {
  return errorAt('api-server', cluster, why, 'Check the network, the kubeconfig and your credentials');
}

/** How many rows there are of each level. */
export function countLevels(rows: readonly { readonly level: FindingLevel }[]): Record<FindingLevel, number> {
  const counts: Record<FindingLevel, number> = { ok: 0, warning: 0, failure: 0, unknown: 0 };
  for (const { level } of rows) counts[level] += 1;
  return counts;
}

/** What findings mean to whoever is about to apply something. */
export interface ClusterProblems {
  /** What would not work. */
  readonly problems: readonly Diagnostic[];

  /** What somebody should look at, and what could not be looked at. */
  readonly warnings: readonly Diagnostic[];
}

/** What was found out about a cluster, at places that name the cluster and the check. */
export function toClusterProblems(findings: readonly Diagnostic[]): ClusterProblems {
  const others = findings.filter(({ severity }) => severity === 'warning' || severity === 'unknown');
  return {
    problems: findings.filter(({ severity }) => severity === 'error').map(toProblem),
    warnings: others.map(toProblem).map(asWarning),
  };
}

function toProblem({ code, at, message, hint }: Diagnostic): Diagnostic {
  return errorAt('cluster-check', `${at}: ${code}`, message, hint);
}

/** What to say where the objects of a kind cannot be seen. A kind that is not served is told by another check. */
export function reportUnlisted(
  { missing, why }: Extract<Listing, { missing: string }>,
  objects: string,
): readonly CheckResult[] {
  if (missing === 'unserved') return [];
  if (missing === 'forbidden')
    return [reportUnknown(`the ${objects} may not be listed`, `Ask for it: ${why}`)];
  return [reportFailure(`the ${objects} could not be listed`, `Try again: ${why}`)];
}
