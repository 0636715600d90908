import type { Finding, Path } from '../../api/resource';
import type { Situation } from '../fill';
import type { Serving } from '../serving';

/** Something about an engine that cannot work, or may not. Paths start at the engine. */
export interface EngineFinding extends Finding {
  readonly severity: 'error' | 'warning';
}

/** A member of an engine, and all that is known of it. */
export interface Subject extends Situation {
  readonly serving: Serving;

  /** The place of the member in its engine. */
  readonly index: number;
}

/** A rule over one member of an engine: what its container says against what is known of its runtime. */
export type EngineCheck = (subject: Subject) => Iterable<EngineFinding>;

/** A place in the container of a member, from its engine. */
export function inContainer({ index }: Subject, path: Path): Path {
  return ['members', index, 'template', 'spec', 'containers', 0, ...path];
}

/** Where a container says how its engine starts, from its engine. */
export function atStart(subject: Subject): Path {
  const [argument] = subject.reading.invocation.args;
  const { args, command } = subject.member.template.spec.containers[0];
  return inContainer(subject, argument?.path ?? (args ? ['args'] : command ? ['command'] : ['image']));
}
