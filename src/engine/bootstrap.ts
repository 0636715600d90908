import type { Engine, Member } from '../api/engine';
import { given } from './arguments';
import { profileOf } from './recognise';
import { readingOf } from './serving';
import type { Runs } from './runs';

/** Whether the nodes of a gang whose bootstrap is ours to write find each other through Ray. */
export function usesRay(deployment: Runs, engine: Engine): boolean {
  const ray = profileOf(deployment, engine).profile.bootstrap?.ray;
  if (engine.bootstrap === 'None' || !ray) return false;
  return given(readingOf(deployment, engine), ray.setting)?.value === ray.value;
}

/**
 * What a member of a gang on Ray runs: the leader starts the cluster and then its engine with the arguments of its
 * container, workers join once the leader answers. A worker that tried once would end, and take its group with it.
 */
export function rayCommand(
  { role }: Member,
  { program, port }: { readonly program: string; readonly port: number },
): readonly string[] {
  const leader = `"$FLEETWRIGHT_LEADER_ADDRESS:${port}"`;
  const script =
    role === 'Worker'
      ? `until ray health-check --address ${leader}; do sleep 5; done; exec ray start --block --address=${leader}`
      : `ray start --head --port=${port} && exec ${program} "$@"`;
  return ['sh', '-c', script, 'sh'];
}
