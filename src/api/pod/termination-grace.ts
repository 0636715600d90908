import { errorAt } from '../../base/diagnostic';
import { parseDuration } from '../../base/duration';
import type { Path } from '../resource';
import type { SchemaRule } from '../schema/rules';
import type { PodTemplate } from './pod-template';

/** The default is enough for a stream of 16,000 tokens at 30 tokens a second, which takes nine minutes. */
const DEFAULT_GRACE_SECONDS = 600;

interface Member {
  readonly template: PodTemplate;
}

interface Drained {
  readonly drain: { readonly grace?: string | undefined };
}

/** The grace period of the pods of a member, in seconds: from its template, else from the engine, else the default. */
export function graceSecondsOf({ drain }: Drained, { template }: Member): number {
  const { terminationGracePeriodSeconds } = template.spec;
  return (
    terminationGracePeriodSeconds ?? (drain.grace === undefined ? DEFAULT_GRACE_SECONDS : parseDuration(drain.grace))
  );
}

/** Checks that hooks that sleep end within the grace period of the pod. Kubernetes rejects longer sleeps. */
export const hooksEndWithinGrace: SchemaRule<Drained & { readonly members: readonly Member[] }> = function* (engine) {
  for (const [m, member] of engine.members.entries()) {
    const grace = graceSecondsOf(engine, member);
    for (const { seconds, path } of hookSleepsOf(member)) {
      if (seconds <= grace) continue;
      const what = `${seconds} seconds are more than the ${grace} seconds that the pod has to terminate`;
      const hint = 'Raise terminationGracePeriodSeconds of the pod, or drain.grace of the engine';
      yield errorAt('contradiction', ['members', m, 'template', 'spec', ...path], what, hint);
    }
  }
};

const LISTS = ['containers', 'initContainers'] as const;
const HOOKS = ['postStart', 'preStop'] as const;

function hookSleepsOf({ template: { spec } }: Member): { readonly seconds: number; readonly path: Path }[] {
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
