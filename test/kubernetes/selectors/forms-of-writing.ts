import type { Forms } from './form';

/** Formats of texts, right and wrong ones. */
export const TEMPLATE: Forms = {
  simple: [
    '"%s"',
    '"a%%b%s"',
    '"%d"',
    '"%.2f"',
    '"%e"',
    '"%x %X"',
    '"%b"',
    '"%o"',
    '"%.0f%s"',
    '"%5d"',
    '"%"',
    '"%q"',
    '"%.f"',
    '""',
  ],
  composed: ['<template> + ""', '<template> + <template>', '<bool> ? <template> : <template>', '<string>'],
};

/** Texts that are made by a format. No one knows how large they become: they are compared with what is written down. */
export const WRITTEN: Forms = {
  simple: ['strings.quote(device.driver)', '"%s".format([1])', '"%.1f".format([0.25])'],
  composed: [
    '"%s".format([<any>])',
    '"%s".format([<string>])',
    '"%s".format([<int>])',
    '"%s".format([<double>])',
    '"%s".format([<ints>])',
    '"%s".format([[<any>, <int>, <string>, <double>, null]])',
    '"%s".format([<map>])',
    '"%s".format([{<string>: <any>, 1: <double>, true: <strings>}])',
    '"%s".format([<quantity>])',
    '"%s".format([<optional>])',
    '"%s".format([dyn(<ip>)])',
    '"%s".format([type(<any>)])',
    '"%s %d".format([<bool>, <int>])',
    '"%d%d".format([<uint>, <any>])',
    '"%d".format([<double>])',
    '"%.3f".format([<double>])',
    '"%f".format([<any>])',
    '"%e".format([<double>])',
    '"%.9e".format([<string>])',
    '"%b".format([<int>])',
    '"%x%X".format([<string>, <int>])',
    '"%o".format([<uint>])',
    '"%x".format([<any>])',
    '(<template>).format([<any>])',
    '(<template>).format([<int>, <string>])',
    '<template>.format(<ints>)',
    '<template>.format([])',
    '<any>.format([<any>])',
    'strings.quote(<string>)',
    'strings.quote(<any>)',
  ],
};

/** What is true or false of them. */
export const WRITTEN_CONDITIONS: readonly string[] = [
  '<written> == <string>',
  '<written> == "3"',
  '<written> == "1.50"',
  '<written>.startsWith("1")',
  '<written>.endsWith("0")',
  '<written> != "[1, 2, 3]"',
  '<written>.size() > <int>',
  '<written> in ["0", "1"]',
  '<strings>.exists(#string, <written> == "a")',
  'cel.bind(#string, <written>, <bool>)',
];
