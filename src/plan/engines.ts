import type { ModelDeployment } from '../api/model-deployment';
import type { Runtime } from '../api/runtime';
import { PROFILES } from '../catalog/engines/profiles';
import { blockSizeOf } from '../engine/checks/block-size';
import { filesOf } from '../engine/files';
import { additionsTo, situationOf } from '../engine/fill';
import { profileOf } from '../engine/recognise';
import { servingOf } from '../engine/serving';
import type { Fleet } from '../fleet';
import { formatUsers, usersOf, type UserView } from './engine-users';
import type { Style } from './style';

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
  readonly users: readonly UserView[];

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
export function enginesOf(deployment: ModelDeployment, { caches }: Pick<Fleet, 'caches'>): EngineView[] {
  const files = filesOf(deployment, caches);
  return deployment.spec.template.spec.engines.map((engine) => {
    const { profile, by, evidence } = profileOf(deployment, engine);
    const { port, health, metricsPath } = servingOf(deployment, engine);
    const blockSize = blockSizeOf(deployment, engine);
    const added = engine.members.map((member): MemberAdditions => {
      const { args, env } = additionsTo(situationOf(deployment, engine, member, files));
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
      users: usersOf(deployment, engine),
      added: added.filter(({ args, env }) => args.length > 0 || env.length > 0),
    };
  });
}

const TOLD_BY: Readonly<Record<EngineView['by'], (evidence: string) => string>> = {
  runtime: () => 'as declared',
  command: (program) => `by its command '${program}'`,
  image: (image) => `by its image ${image}`,
  nothing: (image) => `because nothing tells what image ${image} runs`,
};

/** How each engine of a deployment is run, for a person: a line an engine, and those of its members below. */
export function formatEngines(engines: readonly EngineView[], style: Style): string {
  const lines = engines.flatMap((view) => [
    formatEngine(view, style),
    ...formatUsers(view.users, PROFILES[view.runtime].title),
    ...view.added.map(formatAdded),
  ]);
  return lines.join('\n');
}

function formatEngine(
  { engine, runtime, by, evidence, port, readinessPath }: EngineView,
  style: Style,
): string {
  const health =
    readinessPath === undefined ? 'never asked whether it serves' : `ready when ${readinessPath} says so`;
  return `  engine ${style.strong(engine)}: ${runtime}, ${TOLD_BY[by](evidence)}; port ${port}, ${health}`;
}

function formatAdded({ role, args, env }: MemberAdditions): string {
  return `    added for ${role}: ${[...args, ...env.map((name) => `$${name}`)].join(' ')}`;
}
