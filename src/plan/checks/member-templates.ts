import type { Engine } from '../../api/engine';
import type { ModelDeployment } from '../../api/model-deployment';
import type { PodTemplate } from '../../api/pod/pod-template';
import type { Path } from '../../api/resource';
import type { JsonObject, PodSpec } from '../../manifest/kubernetes/manifest';
import { renderImageSecurityContext, secureContainer } from '../../render/pod/security-context';

type Member = Engine['members'][number];
type TemplateSpec = PodTemplate['spec'];
type Container = TemplateSpec['containers'][number] | NonNullable<TemplateSpec['initContainers']>[number];

/** The pod template of a member of an engine. */
export interface MemberTemplate {
  readonly deployment: ModelDeployment;
  readonly engine: Engine;
  readonly member: Member;
  readonly spec: TemplateSpec;

  /** The path of `spec` in the deployment. */
  readonly path: Path;

  /** All containers, with their paths in the deployment. */
  readonly containers: readonly { readonly container: Container; readonly path: Path }[];
}

/** Lists the pod templates of a deployment. */
export function listMemberTemplates(deployment: ModelDeployment): MemberTemplate[] {
  return deployment.spec.template.spec.engines.flatMap((engine, e) =>
    engine.members.map((member, m) => {
      const path = ['spec', 'template', 'spec', 'engines', e, 'members', m, 'template', 'spec'];
      const { spec } = member.template;
      const containers = (['containers', 'initContainers'] as const).flatMap((list) =>
        (spec[list] ?? []).map((container: Container, c) => ({ container, path: [...path, list, c] })),
      );
      return { deployment, engine, member, spec, path, containers };
    }),
  );
}

/**
 * Returns the declared part of a pod, with the security contexts that it is rendered with. Leaves out privileges and
 * paths of nodes, which have rules of their own.
 */
export function toUnprivilegedPod({ deployment, engine, member, spec }: MemberTemplate): PodSpec {
  const image = renderImageSecurityContext({ deployment }, { engine }, { member });
  const [main, ...helpers] = spec.containers;
  return {
    securityContext: {
      seccompProfile: { type: 'RuntimeDefault' },
      ...(spec.securityContext as JsonObject | undefined),
    },
    containers: [secured(main, image), ...helpers.map((one) => secured(one))],
    initContainers: (spec.initContainers ?? []).map((one) => secured(one)),
    volumes: (spec.volumes ?? []).filter(({ hostPath }) => hostPath === undefined) as unknown as readonly JsonObject[],
  };
}

function secured(container: Container, generated: JsonObject = {}): JsonObject {
  const { privileged, ...declared } = { ...container.securityContext };
  // A privileged container escalates because it is privileged, which is not checked here.
  const hardened = privileged ? { ...declared, allowPrivilegeEscalation: false } : declared;
  return secureContainer({ name: container.name, securityContext: { ...generated, ...hardened } as JsonObject });
}
