import type { Forms, Type } from './form';
import { BOOL } from './forms-of-bool';
import { INTS, MAP, OPTIONAL, STRINGS } from './forms-of-collections';
import { DOUBLE, INT, UINT } from './forms-of-numbers';
import { ANY, QUANTITY, SEMVER, STRING } from './forms-of-values';

/** Every type with its forms. Together they use all that a device selector may. */
export const FORMS: Readonly<Record<Type, Forms>> = {
  bool: BOOL,
  int: INT,
  uint: UINT,
  double: DOUBLE,
  string: STRING,
  quantity: QUANTITY,
  semver: SEMVER,
  ints: INTS,
  strings: STRINGS,
  map: MAP,
  optional: OPTIONAL,
  any: ANY,
};
