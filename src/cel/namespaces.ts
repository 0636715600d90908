import { NAMED_FORMATS } from './named-format';

/**
 * What stands before the functions of a library, `ip.isCanonical("::1")`, which CEL takes for a part of their names:
 * a variable of that name is not meant. The library takes it for a variable. So these are spelt as in `Ip.isCanonical`
 * before it sees them.
 */
export interface Namespace {
  readonly functions: ReadonlySet<string>;

  /** The class of its variable in the library, which tells types by classes. */
  readonly ctor: new () => object;
}

/** The namespaces by the names that the library knows. The type of each is `IpNamespace` and so on. */
export const NAMESPACES: ReadonlyMap<string, Namespace> = new Map([
  ['Lists', namespace('range')],
  ['Sets', namespace('contains', 'intersects', 'equivalent')],
  ['Strings', namespace('quote')],
  ['Ip', namespace('isCanonical')],
  ['Format', namespace('named', ...NAMED_FORMATS.keys())],
]);

function namespace(...functions: readonly string[]): Namespace {
  class Variable {
    readonly functions = functions;
  }
  return { functions: new Set(functions), ctor: Variable };
}
