import { joinNames, pluralize } from '../../base/text';
import type { Block, Item } from '../document/document';
import { MAX_GROUP_NAMES, mergeAlike, templateOf } from '../document/group-alike';

/** A cluster, a deployment or a replica whose cost changes. */
export interface CostPart {
  readonly name: string;

  /** How its cost changes. */
  readonly text: string;

  /** The changes of its own parts. */
  readonly below?: readonly Block[];
}

type Noun = 'cluster' | 'deployment' | 'replica';

/** Shows parts of one kind. */
export type ListParts = (noun: Noun, parts: readonly CostPart[]) => Item[];

/** One line a part: `deployment ml/q   $1 -> $2 (+$1)`; `us/0   $1 -> $2 (+$1)`. */
export function listParts(noun: Noun, parts: readonly CostPart[]): Item[] {
  return parts.map((part) => formatPart(noun, part));
}

/** The same, but of many one for those whose cost changes alike: `500 replicas: us/0, us/1, us/2, 497 more   $1 each`. */
export function mergeParts(noun: Noun, parts: readonly CostPart[]): Item[] {
  return mergeAlike(parts, {
    keyOf: ({ name, text, below = [] }) => `${text}${templateOf(below, [name])}`,
    kindOf: () => noun,
    one: (part) => formatPart(noun, part),
    several: (all, isAlike) => {
      const names = joinNames(
        all.map(({ name }) => name),
        MAX_GROUP_NAMES,
      );
      const title = `${pluralize(all.length, noun)}: ${names}   `;
      if (!isAlike) return { text: `${title}other amounts` };
      const [{ text, below = [] }] = all;
      return { text: `${title}${text} each`, below: [...below] };
    },
  });
}

function formatPart(noun: Noun, { name, text, below = [] }: CostPart): Item {
  return { text: `${noun === 'replica' ? '' : `${noun} `}${name}   ${text}`, below };
}
