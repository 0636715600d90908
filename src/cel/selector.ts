import { compileExpression } from './compile-expression';
import type { PreparedDevice } from './device';
import type { SelectorFeatures } from './environment';
import { describeFailure } from './error-messages';
import { SelectorError } from './selector-error';
import { kindOf } from './values/kinds';

export type { SelectorFeatures } from './environment';
export { SelectorError } from './selector-error';

/** The result of a selector for a device. Kubernetes aborts an allocation at an error; here the caller decides. */
export type SelectorOutcome =
  | { readonly kind: 'match' }
  | { readonly kind: 'no-match' }
  | { readonly kind: 'error'; readonly message: string };

/** A compiled device selector. */
export interface Selector {
  /** The source text. */
  readonly expression: string;

  /** An object that equivalent selectors share after a comparison. They give the same results. */
  readonly meaning?: object;

  match(device: PreparedDevice): SelectorOutcome;
}

const MATCH: SelectorOutcome = { kind: 'match' };
const NO_MATCH: SelectorOutcome = { kind: 'no-match' };

/**
 * Compiles the CEL expression of a DRA device selector, which can match any number of devices.
 *
 * @example
 * const selector = compileSelector('device.driver == "gpu.nvidia.com"');
 * selector.match(prepareDevice({ driver: 'gpu.nvidia.com', attributes: {}, capacity: {} })); // { kind: 'match' }
 *
 * @throws SelectorError if Kubernetes does not accept the selector
 */
export function compileSelector(expression: string, features: SelectorFeatures = {}): Selector {
  const program = compileExpression(expression, features);
  if (program.type !== 'bool' && program.type !== 'dyn') {
    const message = `the selector must evaluate to bool or the unknown type, not ${program.type}`;
    throw new SelectorError(expression, { at: 0, message, hint: 'Compare it with something' });
  }
  return {
    expression,
    match(device) {
      try {
        const value = program.run(device);
        if (typeof value === 'boolean') return value ? MATCH : NO_MATCH;
        return { kind: 'error', message: `the result is of type ${kindOf(value)}, not bool` };
      } catch (error) {
        return { kind: 'error', message: describeFailure(error) };
      }
    },
  };
}
