import type { Alias, ParsedNode } from 'yaml';
import { isMergeKey } from './keys';
import type { Limits } from './limits';

/** Something wrong at an offset of a file. */
export interface Fault {
  readonly code: string;
  readonly offset: number;
  readonly what: string;
  readonly hint?: string;
}

/** A tag of some other program, or more often an expression that starts with `!` and lacks its quotes. */
export function unknownTag(offset: number): Fault {
  return {
    code: 'unknown-tag',
    offset,
    what: "this '!' starts a tag that YAML 1.2 does not have",
    hint: 'Put the whole value in quotes if the sign is part of it',
  };
}

/** A key that is no text, that merges, or that was seen before in its map. */
export function keyFault(node: ParsedNode, key: string | undefined, before: object): Fault | undefined {
  const offset = node.range[0];
  if (key === undefined) {
    return {
      code: 'bad-key',
      offset,
      what: 'the key of this entry is no text',
      hint: 'Put it in quotes. Double braces are a template: render it first',
    };
  }
  if (isMergeKey(node)) {
    return {
      code: 'merge-key',
      offset,
      what: "'<<' merges maps in YAML 1.1 only, and manifests are YAML 1.2",
      hint: 'Repeat the fields, or use an alias for a whole value',
    };
  }
  if (!Object.hasOwn(before, key)) return undefined;
  return {
    code: 'duplicate-key',
    offset,
    what: `the key '${key}' stands twice in this map`,
    hint: 'Remove one of the two',
  };
}

/** An alias without an anchor above it, or inside its own. Its name is not shown: a value may start with `*`. */
export function badAlias({ range }: Alias.Parsed, target: ParsedNode | undefined): Fault {
  return {
    code: 'bad-alias',
    offset: range[0],
    what: target ? 'this alias stands inside its own anchor' : 'no anchor above has the name of this alias',
    hint: target
      ? 'Write the value out'
      : 'Add the anchor, or put the value in quotes if the asterisk is part of it',
  };
}

/** Aliases of aliases that nest values beyond the limit. */
export function aliasTooDeep({ range }: Alias.Parsed, { depth }: Limits): Fault {
  return {
    code: 'too-deep',
    offset: range[0],
    what: `with this alias values are nested more than ${depth} levels deep`,
    hint: 'Write the value out',
  };
}

/** The alias at which the run passes its limit. */
export function aliasBomb({ range }: Alias.Parsed, { aliasedValues }: Limits): Fault {
  return {
    code: 'alias-bomb',
    offset: range[0],
    what: `aliases repeat more than ${aliasedValues} values up to here`,
    hint: 'Leave the file out if you did not write it, or write the values out',
  };
}
