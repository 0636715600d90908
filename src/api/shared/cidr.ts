import { CIDR } from './is-cidr';
import { formed } from './names';

/** A range of IPv4 addresses as it is written: `10.0.0.0/16`. Whether it can be used is judged where it is planned. */
export const cidr = formed({
  noun: 'a range of IPv4 addresses',
  code: 'bad-cidr',
  pattern: CIDR,
  max: 18,
  hint: "Write it as in '10.0.0.0/16'",
});
