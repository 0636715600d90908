import type { Manifest } from './manifest';
import { type Level, shortcomings, strictestLevel } from './pod-security';
import { podSpecsIn } from './pod-specs';

/** The Pod Security level of some objects, and why it is no stricter one. */
export interface SecurityLevel {
  readonly level: Level;

  /** Clauses about a pod: `it may run as root in container engine`. */
  readonly reasons: readonly string[];
}

/** The strictest level that the pods of some objects pass, and what keeps them from the next. */
export function securityLevel(objects: readonly Manifest[]): SecurityLevel {
  const pods = podSpecsIn(objects);
  const level = strictestLevel(pods);
  const next = level === 'privileged' ? 'baseline' : 'restricted';
  const reasons = pods.flatMap(shortcomings).filter((one) => one.level === next);
  return { level, reasons: [...new Set(reasons.map(({ reason }) => reason))] };
}
