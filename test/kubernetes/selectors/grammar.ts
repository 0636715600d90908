import type { Random } from '../harness/random';
import type { Type } from './form';
import { FORMS } from './forms';

interface Variable {
  readonly name: string;
  readonly type: Type;
}

const NAMES = ['x', 'y', 'z', 'v', 'w'];

/** An expression of type bool, as deep as `depth`. */
export function generate(random: Random, depth: number): string {
  return make('bool', random, depth, []);
}

function make(type: Type, random: Random, depth: number, variables: readonly Variable[]): string {
  const own = variables.filter((variable) => variable.type === type);
  if (own.length > 0 && random.percent(40)) return random.pick(own).name;
  const { simple, composed } = FORMS[type];
  const form = depth > 0 && random.percent(85) ? random.pick(composed) : random.pick(simple);
  return fill(form, random, depth - 1, variables);
}

/** Replaces `<type>` by an expression of that type, and `#type` by a new variable that is in sight of what follows. */
function fill(form: string, random: Random, depth: number, variables: readonly Variable[]): string {
  const inSight = [...variables];
  return form.replace(/<(\w+)>|#(\w+)/g, (_, type: Type | undefined, declared: Type) => {
    if (type !== undefined) return make(type, random, depth, inSight);
    const name = NAMES[inSight.length % NAMES.length]!;
    inSight.push({ name, type: declared });
    return name;
  });
}
