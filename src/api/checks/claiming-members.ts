import type { Member } from '../engine';
import type { ModelDeployment } from '../model-deployment';
import type { Path } from '../resource';

/** What the pods of a member need from their node, and where it stands in the deployment. */
export interface ClaimingMember {
  readonly nodeSelector: NonNullable<Member['nodeSelector']>;
  readonly path: Path;
}

/** The members of a deployment whose pods ask for devices, in the order in which they are declared. */
export function claimingMembers(deployment: ModelDeployment): readonly ClaimingMember[] {
  const template = deployment.spec.template.spec;
  const known = KNOWN.get(template);
  if (known) return known;
  const claiming = claimingIn(deployment);
  KNOWN.set(template, claiming);
  return claiming;
}

/** Several rules ask, and declarations never change once they are read. Many have their template in common. */
const KNOWN = new WeakMap<ModelDeployment['spec']['template']['spec'], readonly ClaimingMember[]>();

function claimingIn({ spec }: ModelDeployment): ClaimingMember[] {
  return spec.template.spec.engines.flatMap(({ members }, e) =>
    members.flatMap(({ nodeSelector }, m) => {
      const path = ['spec', 'template', 'spec', 'engines', e, 'members', m, 'nodeSelector'];
      return nodeSelector ? [{ nodeSelector, path }] : [];
    }),
  );
}
