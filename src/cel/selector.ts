import type { PreparedDevice } from './device';
import type { Features } from './environment';
import { failureText } from './cel-errors';
import { compileProgram } from './program';
import { SelectorError } from './selector-error';
import { kindOf } from './values';

export type { Features } from './environment';
export { SelectorError } from './selector-error';

/** What a selector says of a device. Kubernetes aborts an allocation at an error, where this is left to the caller. */
export type Outcome =
  | { readonly kind: 'match' }
  | { readonly kind: 'no-match' }
  | { readonly kind: 'error'; readonly message: string };

/** A compiled device selector. */
export interface Selector {
  /** Its text. */
  readonly expression: string;

  /** What selectors share that say the same in other words, where somebody has compared them: they answer alike. */
  readonly meaning?: object;

  match(device: PreparedDevice): Outcome;
}

const MATCH: Outcome = { kind: 'match' };
const NO_MATCH: Outcome = { kind: 'no-match' };

/**
 * Compiles the CEL expression of a DRA device selector, to be run on any number of devices.
 *
 * Throws a {@link SelectorError} for what Kubernetes would not accept.
 *
 * @example
 * const selector = compileSelector('device.driver == "gpu.nvidia.com"');
 * selector.match(prepareDevice({ driver: 'gpu.nvidia.com', attributes: {}, capacity: {} })); // { kind: 'match' }
 */
export function compileSelector(expression: string, features: Features = {}): Selector {
  const program = compileProgram(expression, features);
  if (program.type !== 'bool' && program.type !== 'dyn') {
    throw new SelectorError(
      `the selector must evaluate to bool or the unknown type, not ${program.type}`,
      { line: 1, column: 1 },
      'Compare it with something',
    );
  }
  return {
    expression,
    match(device) {
      try {
        return outcome(program.run(device));
      } catch (error) {
        return { kind: 'error', message: failureText(error) };
      }
    },
  };
}

function outcome(value: unknown): Outcome {
  if (value === true) return MATCH;
  if (value === false) return NO_MATCH;
  return { kind: 'error', message: `the result is of type ${kindOf(value)}, not bool` };
}
