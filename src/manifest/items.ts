import { isMap, isScalar, isSeq, type ParsedNode, type YAMLMap } from 'yaml';
import { OUR_GROUP, VERSION } from '../api/resource';
import { typeOf } from '../api/wording';
import { type Anchors, resolved } from './anchors';
import type { Fault } from './faults';
import { type DataForm, dataFormOf } from './data-forms';
import { entryOf } from './keys';
import { offsetOf } from './positions';

/** A map that says what it is. */
export interface Item {
  readonly node: YAMLMap.Parsed;
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * What a document holds: one manifest, those of a `List`, or nothing where the command line reads it; or a fault where
 * one should be.
 */
export function* itemsOf(root: ParsedNode, anchors: Anchors): Generator<Item | Fault> {
  const form = dataFormOf(root, anchors);
  if (form) return yield* named(form, root);
  const item = itemAt(root, anchors);
  if (!isList(item)) return yield item;
  const entry = entryOf(item.node, 'items', anchors);
  const items = entry && resolved(entry.value, anchors);
  if (!isSeq(items)) {
    const offset = offsetOf(item.node, ['items'], anchors, 'key');
    return yield {
      code: 'bad-list',
      offset,
      what: 'this List has no list of items',
      hint: "Add 'items: []'",
    };
  }
  for (const node of items.items) {
    const inner = itemAt(node, anchors);
    // With aliases a List could hold itself.
    yield isList(inner) ? nestedList(node) : inner;
  }
}

/** What the Fleet names is not read among manifests: whoever keeps it here means it to count. */
function named({ noun, named }: DataForm, { range: [offset] }: ParsedNode): Fault[] {
  if (named === undefined) return [];
  const hint = `Name the file in spec.${named} of the Fleet, or move it elsewhere`;
  return [{ code: 'unnamed-file', offset, what: `these are ${noun} that no Fleet names`, hint }];
}

/** What kubectl writes for several objects. */
function isList(item: Item | Fault): item is Item {
  return 'node' in item && item.apiVersion === 'v1' && item.kind === 'List';
}

function nestedList({ range: [offset] }: ParsedNode): Fault {
  return {
    code: 'bad-list',
    offset,
    what: 'a List stands in a List',
    hint: 'Move its items to the outer one',
  };
}

const HEADER = ['apiVersion', 'kind'] as const;

function itemAt(node: ParsedNode, anchors: Anchors): Item | Fault {
  const map = resolved(node, anchors);
  if (!isMap(map)) return noMap(node, map);
  const [apiVersion, kind] = HEADER.map((field) => valueOf(map, field, anchors));
  if (isName(apiVersion) && isName(kind)) return { node: map, apiVersion, kind };
  return isName(apiVersion) ? badHeader(map, ['kind'], anchors) : badHeader(map, HEADER, anchors);
}

const LEAVE_OUT = 'leave the file out if it holds no manifests';

function noMap(node: ParsedNode, target: ParsedNode | undefined): Fault {
  const what = `this is ${typeOf(plain(target))}, not a map with apiVersion and kind`;
  return { code: 'no-manifest', offset: node.range[0], what, hint: `Write a manifest, or ${LEAVE_OUT}` };
}

/** What is wrong with the first of the fields that is missing or no text. */
function badHeader(map: YAMLMap.Parsed, fields: readonly (typeof HEADER)[number][], anchors: Anchors): Fault {
  const bad = fields.filter((field) => !isName(valueOf(map, field, anchors)));
  const [field = 'kind'] = bad;
  const value = valueOf(map, field, anchors);
  const isAbsent = value === null || value === undefined || value === '';
  return {
    code: 'no-manifest',
    offset: offsetOf(map, isAbsent ? [] : [field], anchors),
    what: isAbsent ? `this map has no ${bad.join(' and no ')}` : `${field} is ${typeOf(value)}, not text`,
    hint: `Write '${EXAMPLES[field]}', or ${LEAVE_OUT}`,
  };
}

const EXAMPLES = {
  apiVersion: `apiVersion: ${OUR_GROUP[0]}/${VERSION}`,
  kind: 'kind: ModelDeployment',
} as const;

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function valueOf(map: YAMLMap.Parsed, field: string, anchors: Anchors): unknown {
  return plain(resolved(entryOf(map, field, anchors)?.value ?? null, anchors));
}

/** A value of the right type, where its content does not matter unless it is a scalar. */
function plain(node: ParsedNode | undefined): unknown {
  if (isScalar(node)) return node.value;
  return isSeq(node) ? [] : isMap(node) ? {} : undefined;
}
