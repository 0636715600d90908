import { errorAt } from '../../base/diagnostic';
import { parseDuration } from '../../base/duration';
import type { Path } from '../resource';
import type { SchemaRule } from '../schema/rules';

/** The longest stream that is waited for where nobody says: 16,000 tokens at 30 a second take nine minutes. */
const DEFAULT_GRACE_SECONDS = 600;

interface Hook {
  readonly sleep?: { readonly seconds: number } | undefined;
}

interface Container {
  readonly lifecycle?:
    | { readonly postStart?: Hook | undefined; readonly preStop?: Hook | undefined }
    | undefined;
}

interface Member {
  readonly template: {
    readonly spec: {
      readonly containers: readonly Container[];
      readonly initContainers?: readonly Container[] | undefined;
      readonly terminationGracePeriodSeconds?: number | undefined;
    };
  };
}

interface Drained {
  readonly drain: { readonly grace?: string | undefined };
}

/** How long the pods of a member have to end, in seconds: as they say, or their engine, else until the longest stream has. */
export function graceSecondsOf({ drain }: Drained, { template }: Member): number {
  const { terminationGracePeriodSeconds: own } = template.spec;
  return own ?? (drain.grace === undefined ? DEFAULT_GRACE_SECONDS : parseDuration(drain.grace));
}

/** A hook that waits ends before its pod has to: Kubernetes refuses it otherwise. */
export const hooksEndWithinGrace: SchemaRule<Drained & { readonly members: readonly Member[] }> = function* (
  engine,
) {
  for (const [m, member] of engine.members.entries()) {
    const grace = graceSecondsOf(engine, member);
    for (const { seconds, path } of hookWaitsOf(member)) {
      if (seconds <= grace) continue;
      yield errorAt(
        'contradiction',
        ['members', m, 'template', 'spec', ...path],
        `${seconds} seconds are more than the ${grace} that the pod has to end`,
        'Set terminationGracePeriodSeconds of the pod, or drain.grace of the engine, to more',
      );
    }
  }
};

const LISTS = ['containers', 'initContainers'] as const;
const HOOKS = ['postStart', 'preStop'] as const;

/** How long each hook of a pod waits that does, and where it says so. */
function hookWaitsOf({ template: { spec } }: Member): { readonly seconds: number; readonly path: Path }[] {
  const containers = LISTS.flatMap((list) =>
    (spec[list] ?? []).map(({ lifecycle }, c) => ({ lifecycle, path: [list, c, 'lifecycle'] })),
  );
  return containers.flatMap(({ lifecycle, path }) =>
    HOOKS.flatMap((hook) => {
      const sleep = lifecycle?.[hook]?.sleep;
      return sleep ? [{ seconds: sleep.seconds, path: [...path, hook, 'sleep', 'seconds'] }] : [];
    }),
  );
}
