import type { Problem } from '../errors';
import type { Finding, Level } from './finding';

/** What findings mean to whoever is about to apply something. */
export interface FindingProblems {
  /** What would not work. */
  readonly problems: readonly Problem[];

  /** What somebody should look at, and what could not be looked at. */
  readonly warnings: readonly Problem[];
}

/** What was found out about a cluster, at places that name the cluster and the check. */
export function findingProblems(cluster: string, findings: readonly Finding[]): FindingProblems {
  const told = (...levels: Level[]): Problem[] =>
    findings.filter(({ level }) => levels.includes(level)).map((one) => problemOf(cluster, one));
  return { problems: told('failure'), warnings: told('warning', 'unknown') };
}

function problemOf(cluster: string, { check, what, hint }: Finding): Problem {
  return { code: 'cluster-check', where: `${cluster}: ${check}`, what, ...(hint !== undefined && { hint }) };
}
