import type { Engine, EngineMember } from '../../api/engine';
import type { ModelDeployment } from '../../api/model-deployment';
import { groupBy } from '../../base/order';
import type { Runtime } from '../../catalog/engines/runtimes';
import { additionsOf, memberContextOf } from '../../engine/added-arguments';
import { blockSizeOf } from '../../engine/checks/block-size';
import { engineFilesOf } from '../../engine/model-files';
import { servingOf } from '../../engine/ports-and-probe-defaults';
import { profileOf } from '../../engine/runtime-detection';
import type { Fleet } from '../../fleet/fleet';
import { findImageUser } from '../../render/pod/security-context';

/** How an engine is run, and how that is known. */
export interface EngineView {
  readonly engine: string;
  readonly runtime: Runtime;

  /** What told: the field `runtime`, the command line, the name of the image, or nothing. */
  readonly by: 'runtime' | 'command' | 'image' | 'nothing';
  readonly evidence: string;
  readonly port: number;
  readonly readinessPath?: string;
  readonly metricsPath?: string;

  /** Tokens of a block of its prefix cache. */
  readonly blockSize?: number;

  /** Whom its containers run as. */
  readonly users: readonly RunAsUser[];

  /** What is added to what the user wrote, by member. */
  readonly added: readonly MemberAdditions[];
}

/** What a member is told beyond what the user wrote. */
export interface MemberAdditions {
  readonly role: string;
  readonly args: readonly string[];

  /** The names of variables. */
  readonly env: readonly string[];
}

/** How each engine of a deployment is run. */
export function describeEngines(
  deployment: ModelDeployment,
  { caches }: Pick<Fleet, 'caches'>,
): EngineView[] {
  const files = engineFilesOf(deployment, caches);
  return deployment.spec.template.spec.engines.map((engine) => {
    const { profile, by, evidence } = profileOf(deployment, engine);
    const { port, health, metricsPath } = servingOf(deployment, engine);
    const blockSize = blockSizeOf(deployment, engine);
    const added = engine.members.map((member): MemberAdditions => {
      const { args, env } = additionsOf(memberContextOf(deployment, engine, member, files));
      return { role: member.role, args, env: env.map(({ name }) => name) };
    });
    return {
      engine: engine.name,
      runtime: profile.runtime,
      by,
      evidence,
      port,
      ...(health && { readinessPath: health.readinessPath }),
      ...(metricsPath !== undefined && { metricsPath }),
      ...(blockSize !== undefined && { blockSize }),
      users: runAsUsersOf(deployment, engine),
      added: added.filter(({ args, env }) => args.length > 0 || env.length > 0),
    };
  });
}

/** Whom the containers of some members of an engine run as, and how that is known. */
export interface RunAsUser {
  readonly roles: readonly string[];

  /** Absent where nobody knows. */
  readonly user?: number;

  /** What tells: the template, the image, or nothing. */
  readonly by: 'template' | 'image' | 'nothing';

  /** Whether nobody could be anybody else: the files of the image are that user's. */
  readonly needed?: true;
}

/** Whom the pods of an engine run as: one for all members that are alike. */
export function runAsUsersOf(deployment: ModelDeployment, engine: Engine): RunAsUser[] {
  const views = engine.members.map((member) => ({
    role: member.role,
    view: runAsUserOf(deployment, engine, member),
  }));
  return [...groupBy(views, ({ view }) => JSON.stringify(view)).values()].flatMap((alike) =>
    alike.slice(0, 1).map(({ view }) => ({ roles: alike.map(({ role }) => role), ...view })),
  );
}

function runAsUserOf(
  deployment: ModelDeployment,
  engine: Engine,
  member: EngineMember,
): Omit<RunAsUser, 'roles'> {
  const { containers, securityContext } = member.template.spec;
  const own = containers[0].securityContext;
  const declared = own?.runAsUser ?? securityContext?.runAsUser;
  if (declared !== undefined) return { user: declared, by: 'template' };
  if (own?.runAsNonRoot ?? securityContext?.runAsNonRoot) return { by: 'template' };
  const known = findImageUser({ deployment }, { engine }, { member });
  if (!known) return { by: 'nothing' };
  return { user: known.id, by: 'image', ...(!known.anyUser && { needed: true }) };
}
