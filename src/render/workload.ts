import { claimTemplate } from './claim-template';
import { SYNC_WAVE } from './annotations';
import { labelsOf } from './labels';
import type { Manifest, ObjectMeta } from './manifest';
import { workloadName } from './names';
import { objectMeta } from './object-meta';
import type { ComputedEngine, ComputedReplica } from './replica';

/** The metadata of the workload of an engine, whatever kind it is. */
export function workloadMeta(
  { deployment, cluster, index, wave }: ComputedReplica,
  { engine }: ComputedEngine,
): ObjectMeta {
  const name = workloadName(deployment.metadata, index, engine.name);
  const ours = labelsOf({ deployment, cluster: cluster.metadata.name, index, engine: engine.name });
  return { ...objectMeta(deployment, name, ours), annotations: { [SYNC_WAVE]: String(wave.cluster) } };
}

/** The claim templates that the pods of an engine refer to. */
export function claimTemplates(replica: ComputedReplica, engine: ComputedEngine): Manifest[] {
  return engine.members.flatMap((member) => claimTemplate(replica, engine, member) ?? []);
}
