/** How it stands with one thing. `unknown`: whoever asks may not see it, or the cluster did not say. */
export const LEVELS = ['ok', 'warning', 'failure', 'unknown'] as const;

/** How it stands with one thing. */
export type Level = (typeof LEVELS)[number];

/** What was found out about a running cluster. */
export interface Finding {
  /** A stable, kebab-case name of what was looked at, for machines: `device-classes`. */
  readonly check: string;
  readonly level: Level;

  /** What is so, as a clause without a full stop. */
  readonly what: string;

  /** What to do about it, as a clause without a full stop. */
  readonly hint?: string;
}

/** What a check says, without its name. */
export type Said = Omit<Finding, 'check'>;

/** All is well. */
export function ok(what: string): Said {
  return { level: 'ok', what };
}

/** It works, and somebody should look at it. */
export function warning(what: string, hint: string): Said {
  return { level: 'warning', what, hint };
}

/** What is planned will not work. */
export function failure(what: string, hint: string): Said {
  return { level: 'failure', what, hint };
}

/** Nobody could look. */
export function unknown(what: string, hint: string): Said {
  return { level: 'unknown', what, hint };
}

/** The only finding of a cluster whose API server gives no answer. */
export function noAnswer(why: string): Finding {
  return { check: 'api-server', ...failure(why, 'Check the network, the kubeconfig and your credentials') };
}

/** How many findings there are of each level. */
export function countLevels(findings: readonly Pick<Finding, 'level'>[]): Record<Level, number> {
  const counts: Record<Level, number> = { ok: 0, warning: 0, failure: 0, unknown: 0 };
  for (const { level } of findings) counts[level] += 1;
  return counts;
}
