import type { Path } from '../../api/resource';
import type { Diagnostic } from '../../base/diagnostic';
import type { MemberContext } from '../added-arguments';
import type { EngineServing } from '../ports-and-probe-defaults';

interface CheckedMember extends MemberContext {
  readonly serving: EngineServing;

  /** The index of the member in its engine. */
  readonly index: number;
}

/** A rule that checks the container of one member of an engine against the profile of its runtime. */
export type MemberCheck = (subject: CheckedMember) => Iterable<Diagnostic<Path>>;

/** The path of a field in the container of a member, from its engine. */
export function containerPathOf({ index }: CheckedMember, path: Path): Path {
  return ['members', index, 'template', 'spec', 'containers', 0, ...path];
}

/** The path of the command that starts the engine in a container, from its engine. */
export function startPathOf(subject: CheckedMember): Path {
  const [argument] = subject.settings.invocation.args;
  const { args, command } = subject.member.template.spec.containers[0];
  return containerPathOf(subject, argument?.path ?? (args ? ['args'] : command ? ['command'] : ['image']));
}
