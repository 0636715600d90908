import { copyBoundsOf } from '../../api/engine-copies';
import type { Engine, EngineMember } from '../../api/engine';
import type { ScalingSignal } from '../../api/scaling';
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
import type { EngineMemoryView } from './engine-memory-views';

/** How an engine runs, and what each fact was detected from. */
export interface EngineView {
  readonly engine: string;

  /** The copies of a replica between which an autoscaler chooses, and by which signals. Absent: a fixed number. */
  readonly copies?: { readonly min: number; readonly max: number; readonly by: readonly string[] };
  readonly runtime: Runtime;

  /** What the runtime was detected from: the field `runtime`, the command line, the image name, or nothing. */
  readonly by: 'runtime' | 'command' | 'image' | 'nothing';
  readonly evidence: string;
  readonly port: number;
  readonly readinessPath?: string;
  readonly metricsPath?: string;

  /** The size of a prefix cache block, in tokens. */
  readonly blockSize?: number;

  /** The UIDs that its containers run as. */
  readonly users: readonly RunAsUser[];

  /** What is added to the pod templates of the user, by member. */
  readonly added: readonly MemberAdditions[];

  /** How it divides the memory of a GPU, by kind of GPU. Empty if model or placement is not known. */
  readonly memory: readonly EngineMemoryView[];

  /** The model, where the model catalog lacks it: its memory is not checked. */
  readonly unknownModel?: string;
}

/** What sizing says of the engines of a deployment, by engine. */
interface SizedEngines {
  readonly memory?: ReadonlyMap<string, readonly EngineMemoryView[]>;
  readonly unknownModels?: ReadonlyMap<string, string>;
}

/** Arguments and variables that are added to the container of a member. */
export interface MemberAdditions {
  readonly role: string;
  readonly args: readonly string[];
  readonly env: readonly string[];
}

/** Describes how each engine of a deployment runs. */
export function describeEngines(
  deployment: ModelDeployment,
  { caches }: Pick<Fleet, 'caches'>,
  { memory, unknownModels }: SizedEngines = {},
): EngineView[] {
  const files = engineFilesOf(deployment, caches);
  return deployment.spec.template.spec.engines.map((engine) => {
    const { profile, by, evidence } = profileOf(deployment, engine);
    const unknownModel = unknownModels?.get(engine.name);
    const { port, health, metricsPath } = servingOf(deployment, engine);
    const blockSize = blockSizeOf(deployment, engine);
    const added = engine.members.map((member): MemberAdditions => {
      const { args, env } = additionsOf(memberContextOf(deployment, engine, member, files));
      return { role: member.role, args, env: env.map(({ name }) => name) };
    });
    return {
      engine: engine.name,
      ...(engine.scaling && { copies: { ...copyBoundsOf(engine), by: engine.scaling.on.map(describeSignal) } }),
      runtime: profile.runtime,
      by,
      evidence,
      port,
      ...(health && { readinessPath: health.readinessPath }),
      ...(metricsPath !== undefined && { metricsPath }),
      ...(blockSize !== undefined && { blockSize }),
      users: runAsUsersOf(deployment, engine),
      added: added.filter(({ args, env }) => args.length > 0 || env.length > 0),
      memory: memory?.get(engine.name) ?? [],
      ...(unknownModel !== undefined && { unknownModel }),
    };
  });
}

/** A signal in words: `queue 4`. */
function describeSignal({ prometheus, ...builtIn }: ScalingSignal): string {
  if (prometheus) return `a query of Prometheus at ${prometheus.threshold}`;
  return Object.entries(builtIn)
    .map(([name, amount]) => `${name} ${amount}`)
    .join();
}

/** The UID that some members of an engine run as, and which source sets it. */
export interface RunAsUser {
  readonly roles: readonly string[];
  readonly user?: number;
  readonly by: 'template' | 'image' | 'nothing';

  /** Set if the image works with no other user, because its files belong to this one. */
  readonly needed?: true;
}

/** Lists the users that the pods of an engine run as. Members with the same user share an entry. */
function runAsUsersOf(deployment: ModelDeployment, engine: Engine): RunAsUser[] {
  const views = engine.members.map((member) => ({ role: member.role, view: runAsUserOf(deployment, engine, member) }));
  return [...groupBy(views, ({ view }) => JSON.stringify(view)).values()].flatMap((group) =>
    group.slice(0, 1).map(({ view }) => ({ roles: group.map(({ role }) => role), ...view })),
  );
}

function runAsUserOf(deployment: ModelDeployment, engine: Engine, member: EngineMember): Omit<RunAsUser, 'roles'> {
  const { containers, securityContext } = member.template.spec;
  const container = containers[0].securityContext;
  const declared = container?.runAsUser ?? securityContext?.runAsUser;
  if (declared !== undefined) return { user: declared, by: 'template' };
  if (container?.runAsNonRoot ?? securityContext?.runAsNonRoot) return { by: 'template' };
  const known = findImageUser({ deployment }, { engine }, { member });
  if (!known) return { by: 'nothing' };
  return { user: known.id, by: 'image', ...(!known.anyUser && { needed: true }) };
}
