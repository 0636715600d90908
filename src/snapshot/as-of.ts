/** Times that a cluster writes into objects when something happens to them, as paths; `*` is every item of a list. */
const TIMES: readonly (readonly string[])[] = [
  ['metadata', 'creationTimestamp'],
  ['metadata', 'managedFields', '*', 'time'],
  ['status', 'conditions', '*', 'lastHeartbeatTime'],
  ['status', 'conditions', '*', 'lastTransitionTime'],
];

/** Kubernetes writes times in UTC, some with a fraction of a second. */
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?Z$/;

/**
 * The newest time that an object mentions, to the second. The kubelet renews a node's heartbeat every five
 * minutes, so a recording with nodes is not much younger than what this says.
 *
 * @example
 * newestTime({ metadata: { creationTimestamp: '2026-10-01T08:00:00Z' } }); // '2026-10-01T08:00:00Z'
 */
export function newestTime(object: unknown): string | undefined {
  const times = TIMES.flatMap((path) => valuesAt(object, path)).flatMap((value) => {
    const [, seconds] = typeof value === 'string' ? (TIME.exec(value) ?? []) : [];
    return seconds === undefined ? [] : [`${seconds}Z`];
  });
  return newest(times);
}

/** The newest of times that are written alike. */
export function newest(times: Iterable<string>): string | undefined {
  return [...times].sort().at(-1);
}

function valuesAt(value: unknown, [step, ...rest]: readonly string[]): unknown[] {
  if (step === undefined) return [value];
  if (step === '*') return Array.isArray(value) ? value.flatMap((item) => valuesAt(item, rest)) : [];
  if (typeof value !== 'object' || value === null) return [];
  return valuesAt(Reflect.get(value, step), rest);
}
