import { D, type Forms } from './form';

/** Lists, maps and optionals. */
export const INTS: Forms = {
  simple: [
    '[]',
    '[1]',
    '[1, 2, 3]',
    '[3, 1, 3]',
    '[0]',
    '[7, 7]',
    '[2, 4, 8, 16]',
    '[64]',
    '[5, -5]',
    '[10, 9, 8]',
    '[1, 3]',
    '[4, 4, 4]',
    '[100, 1]',
    '[9]',
    '[6, 12, 24]',
    '[-3]',
    '[2, 0]',
    '[11, 13]',
    '[-1, 0, 9223372036854775807]',
  ],
  composed: [
    '[<int>, <int>]',
    '(<ints>) + (<ints>)',
    '<ints>.map(#int, <int>)',
    '<ints>.filter(#int, <bool>)',
    '<ints>.map(#int, <bool>, <int>)',
    '<ints>.slice(0, <int>)',
    '<ints>.distinct()',
    '<ints>.sort()',
    '<ints>.sortBy(#int, <int>)',
    '<ints>.sortBy(#int, <any>)',
    '<any>.sortBy(#any, <int>)',
    '<ints>.reverse()',
    'lists.range(5)',
    '[<ints>, <ints>].flatten()',
    '<ints>.transformList(#int, #int, <int>)',
    '<strings>.map(#string, size(<string>))',
    '<bool> ? <ints> : <ints>',
  ],
};

export const STRINGS: Forms = {
  simple: ['["a"]', '["a", "b", "a"]', '["Hopper", "NVIDIA H100 80GB HBM3"]', '[""]', '["x", "y"]'],
  composed: [
    '[<string>, <string>]',
    '(<strings>) + (<strings>)',
    '<string>.split(<string>)',
    '<string>.split(<string>, <int>)',
    '<string>.findAll("[a-z]")',
    '<string>.findAll("[A-Z0-9]", <int>)',
    '<strings>.filter(#string, <bool>)',
    '<strings>.map(#string, <string>)',
    '<strings>.sort()',
    '<strings>.sortBy(#string, <string>)',
    '<strings>.sortBy(#string, <double>)',
    '<strings>.reverse()',
    '<strings>.distinct()',
    '<map>.map(#string, <string>)',
    '<url>.getQuery()["k"]',
    '<format>.validate(<nameText>).orValue(<strings>)',
  ],
};

export const MAP: Forms = {
  simple: ['{"a": 1}', '{"a": 1, "b": 2}', '{"x": -5}'],
  composed: [
    '{"a": <int>, "b": <int>}',
    '{<string>: <int>}',
    '<map>.transformMap(#string, #int, <int>)',
    '<map>.transformMapEntry(#string, #int, {<string>: <int>})',
    '<ints>.transformMapEntry(#int, #int, <bool>, <map>)',
    '<map>.transformMapEntry(#string, #int, {<int>: <string>}).transformMapEntry(#int, #string, {<string>: <int>})',
    '<bool> ? <map> : <map>',
  ],
};

export const OPTIONAL: Forms = {
  simple: ['optional.of(3)', 'optional.of(0)', 'optional.of(-7)', `${D}.?index`, `${D}[?"index"]`, `${D}.?nothing`],
  composed: [
    'optional.of(<int>)',
    'optional.ofNonZeroValue(<int>)',
    '<map>.?a',
    '<map>[?<string>]',
    '<ints>[?<int>]',
    'optional.none().or(<optional>)',
    '<optional>.or(<optional>)',
    '<optional>.optMap(#int, <int>)',
    '<optional>.optFlatMap(#int, optional.of(<int>))',
  ],
};
