import type { Member } from '../api/engine';
import { resourceId } from '../api/kinds';
import type { ModelDeployment } from '../api/model-deployment';
import type { EngineContainer } from '../api/pod/container';
import { replicasByDeployment } from '../render/grouped-replicas';
import { native } from '../render/native';
import type { RendererFor } from '../render/renderers';
import type { ComputedReplica } from '../render/replica';
import { securityLevel } from '../render/security-level';
import { sortedBy } from '../order';

/**
 * Deployments that need the Pod Security level `privileged`, which lets every pod of their namespaces do what it
 * likes: sentences for the plan.
 */
export function securityNotes(replicas: readonly ComputedReplica[], rendererFor: RendererFor): string[] {
  const notes = [...replicasByDeployment(replicas).values()].flatMap(([replica]) => {
    if (!replica) return [];
    const renderer = rendererFor(replica);
    // Rendering takes a while, and most templates ask for nothing that could matter.
    if (renderer === native && !asksForRights(replica.deployment)) return [];
    const { level, reasons } = securityLevel(renderer.render(replica));
    return level === 'privileged' ? [note(replica.deployment, reasons)] : [];
  });
  return sortedBy(new Set(notes), (text) => text);
}

function note(deployment: ModelDeployment, reasons: readonly string[]): string {
  const { namespace = 'default' } = deployment.metadata;
  return `${resourceId(deployment)} needs the Pod Security level privileged in namespace ${namespace}: ${reasons.join('; ')}.`;
}

/** Whether a template has anything that the level `baseline` could refuse. */
function asksForRights({ spec }: ModelDeployment): boolean {
  return spec.template.spec.engines.some(({ members }) => members.some(asks));
}

function asks({ template: { spec } }: Member): boolean {
  const { containers, initContainers = [], volumes = [], securityContext } = spec;
  return (
    securityContext?.seccompProfile !== undefined ||
    containers.some(isRaised) ||
    initContainers.some(isRaised) ||
    volumes.some(({ hostPath }) => hostPath !== undefined)
  );
}

function isRaised({ securityContext: own }: Pick<EngineContainer, 'securityContext'>): boolean {
  return Boolean(own?.privileged || own?.capabilities?.add || own?.seccompProfile);
}
