import type { Forms, Type } from './form';
import { CIDR, CIDR_TEXT, IP, IP_TEXT } from './forms-of-addresses';
import { BOOL } from './forms-of-bool';
import { INTS, MAP, OPTIONAL, STRINGS } from './forms-of-collections';
import { DOUBLE, INT, UINT } from './forms-of-numbers';
import { FORMAT, NAME_TEXT, URL, URL_TEXT } from './forms-of-urls';
import { ANY, QUANTITY, SEMVER, STRING } from './forms-of-values';
import { TEMPLATE, WRITTEN } from './forms-of-writing';

/** Every type with its forms. Together they use all that a device selector may. */
export const FORMS: Readonly<Record<Type, Forms>> = {
  bool: BOOL,
  int: INT,
  uint: UINT,
  double: DOUBLE,
  string: STRING,
  quantity: QUANTITY,
  semver: SEMVER,
  ip: IP,
  cidr: CIDR,
  url: URL,
  format: FORMAT,
  ipText: IP_TEXT,
  cidrText: CIDR_TEXT,
  urlText: URL_TEXT,
  nameText: NAME_TEXT,
  template: TEMPLATE,
  written: WRITTEN,
  ints: INTS,
  strings: STRINGS,
  map: MAP,
  optional: OPTIONAL,
  any: ANY,
};
