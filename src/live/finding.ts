import type { Problem } from '../base/errors';
import type { Listing } from './live-object';

/** How it stands with one thing. `unknown`: whoever asks may not see it, or the cluster did not say. */
export const LEVELS = ['ok', 'warning', 'failure', 'unknown'] as const;

/** How it stands with one thing. */
export type FindingLevel = (typeof LEVELS)[number];

/** What was found out about a running cluster. */
export interface Finding {
  /** A stable, kebab-case name of what was looked at, for machines: `device-classes`. */
  readonly check: string;
  readonly level: FindingLevel;

  /** What is so, as a clause without a full stop. */
  readonly what: string;

  /** What to do about it, as a clause without a full stop. */
  readonly hint?: string;
}

/** What a check says, without its name. */
export type CheckResult = Omit<Finding, 'check'>;

/** All is well. */
export function reportOk(what: string): CheckResult {
  return { level: 'ok', what };
}

/** It works, and somebody should look at it. */
export function reportWarning(what: string, hint: string): CheckResult {
  return { level: 'warning', what, hint };
}

/** What is planned will not work. */
export function reportFailure(what: string, hint: string): CheckResult {
  return { level: 'failure', what, hint };
}

/** Nobody could look. */
export function reportUnknown(what: string, hint: string): CheckResult {
  return { level: 'unknown', what, hint };
}

/** The only finding of a cluster whose API server gives no answer. */
export function reportNoAnswer(why: string): Finding {
  return {
    check: 'api-server',
    ...reportFailure(why, 'Check the network, the kubeconfig and your credentials'),
  };
}

/** How many findings there are of each level. */
export function countLevels(findings: readonly Pick<Finding, 'level'>[]): Record<FindingLevel, number> {
  const counts: Record<FindingLevel, number> = { ok: 0, warning: 0, failure: 0, unknown: 0 };
  for (const { level } of findings) counts[level] += 1;
  return counts;
}

/** What findings mean to whoever is about to apply something. */
export interface ClusterProblems {
  /** What would not work. */
  readonly problems: readonly Problem[];

  /** What somebody should look at, and what could not be looked at. */
  readonly warnings: readonly Problem[];
}

/** What was found out about a cluster, at places that name the cluster and the check. */
export function toClusterProblems(cluster: string, findings: readonly Finding[]): ClusterProblems {
  const told = (...levels: FindingLevel[]): Problem[] =>
    findings.filter(({ level }) => levels.includes(level)).map((one) => toProblem(cluster, one));
  return { problems: told('failure'), warnings: told('warning', 'unknown') };
}

function toProblem(cluster: string, { check, what, hint }: Finding): Problem {
  return { code: 'cluster-check', where: `${cluster}: ${check}`, what, ...(hint !== undefined && { hint }) };
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
