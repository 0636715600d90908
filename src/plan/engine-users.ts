import type { Engine, Member } from '../api/engine';
import type { ModelDeployment } from '../api/model-deployment';
import { imageUser } from '../render/image-user';
import { groupBy } from '../order';

/** Whom the containers of some members of an engine run as, and how that is known. */
export interface UserView {
  readonly roles: readonly string[];

  /** Absent where nobody knows. */
  readonly user?: number;

  /** What tells: the template, the image, or nothing. */
  readonly by: 'template' | 'image' | 'nothing';

  /** Whether nobody could be anybody else: the files of the image are that user's. */
  readonly needed?: true;
}

/** Whom the pods of an engine run as: one for all members that are alike. */
export function usersOf(deployment: ModelDeployment, engine: Engine): UserView[] {
  const views = engine.members.map((member) => ({
    role: member.role,
    view: userOf(deployment, engine, member),
  }));
  return [...groupBy(views, ({ view }) => JSON.stringify(view)).values()].flatMap((alike) =>
    alike.slice(0, 1).map(({ view }) => ({ roles: alike.map(({ role }) => role), ...view })),
  );
}

function userOf(deployment: ModelDeployment, engine: Engine, member: Member): Omit<UserView, 'roles'> {
  const { containers, securityContext } = member.template.spec;
  const own = containers[0].securityContext;
  const declared = own?.runAsUser ?? securityContext?.runAsUser;
  if (declared !== undefined) return { user: declared, by: 'template' };
  if (own?.runAsNonRoot ?? securityContext?.runAsNonRoot) return { by: 'template' };
  const known = imageUser({ deployment }, { engine }, { member });
  if (!known) return { by: 'nothing' };
  return { user: known.id, by: 'image', ...(!known.anyUser && { needed: true }) };
}

/** Whom the pods of an engine run as, for a person: a line each. */
export function formatUsers(users: readonly UserView[], title: string): string[] {
  return users.map(
    (view) => `    ${users.length > 1 ? `${view.roles.join(', ')} ` : ''}${sentence(view, title)}`,
  );
}

function sentence({ user, by, needed }: UserView, title: string): string {
  const name = user === 0 ? 'root' : `user ${user}`;
  if (by === 'nothing')
    return 'runs as whom its image says, which may be root: set runAsNonRoot where it is not';
  if (by === 'template')
    return `runs as ${user === undefined ? 'whom its image says, and never as root' : name}, as declared`;
  if (user !== 0) return `runs as ${name}, as the image of ${title} does`;
  return needed
    ? `runs as root: the files of the image of ${title} are root's, so it would fail as anybody else`
    : `runs as root, as the image of ${title} does: set runAsUser for another, who needs a folder to write to`;
}
