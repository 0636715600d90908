import type { SecurityLevel } from '../render/security-level';

/** What the pods of a deployment may do, for a person: `Pod Security level baseline: it may run as root in ...` */
export function securityText({ level, reasons }: SecurityLevel): string {
  const [first, ...more] = reasons;
  const why = first === undefined ? '' : `: ${first}`;
  return [`  Pod Security level ${level}${why}`, ...more.map((reason) => `    ${reason}`)].join('\n');
}
