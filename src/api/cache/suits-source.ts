import { missingField } from '../reading/common-findings';
import type { Rule } from '../reading/rule';
import type { CacheSource } from './source';

/** What the rules of a cache read. */
interface Declared {
  readonly source: CacheSource;
  readonly content: 'Model' | 'LoRA' | 'Tokenizer' | 'Bytes';
  readonly sizeGiB?: number | undefined;
  readonly mountPath?: string | undefined;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly verify?: unknown;
}

/** Fields that only some sources have a use for. */
const ONLY_FOR: readonly {
  readonly field: keyof Declared;
  readonly isSet: (declared: Declared) => boolean;
  readonly sources: readonly CacheSource[];
}[] = [
  {
    field: 'include',
    isSet: ({ include }) => include.length > 0,
    sources: ['HuggingFace', 'S3', 'GCS'],
  },
  {
    field: 'exclude',
    isSet: ({ exclude }) => exclude.length > 0,
    sources: ['HuggingFace', 'S3', 'GCS'],
  },
  { field: 'verify', isSet: ({ verify }) => verify !== undefined, sources: ['HTTP'] },
  {
    field: 'sizeGiB',
    isSet: ({ sizeGiB }) => sizeGiB !== undefined,
    sources: ['HuggingFace', 'S3', 'GCS', 'HTTP'],
  },
];

/** What a cache says is of use with its source. */
export const suitsSource: Rule<Declared> = function* (declared) {
  for (const { field, isSet, sources } of ONLY_FOR) {
    if (!isSet(declared) || sources.includes(declared.source)) continue;
    yield {
      code: 'contradiction',
      path: [field],
      what: `a cache with source ${declared.source} takes no field '${field}'`,
      hint: `Remove it: it is for ${sources.join(', ')}`,
    };
  }
};

/** What is staged needs room, and only the user knows how much. */
export const sizeOfStaged: Rule<Declared> = function* ({ source, sizeGiB }) {
  if (source === 'ExistingPVC' || sizeGiB !== undefined) return;
  yield missingField(['sizeGiB'], `A cache with source ${source} needs it`);
};

/** Several adapters are mounted side by side, so none of them chooses its place. */
export const placeOfAdapters: Rule<Declared> = function* ({ content, mountPath }) {
  if (content !== 'LoRA' || mountPath === undefined) return;
  yield {
    code: 'contradiction',
    path: ['mountPath'],
    what: "a cache with content LoRA takes no field 'mountPath'",
    hint: 'Remove it: adapters are mounted at /mnt/adapters/NAME, by their name in the deployment',
  };
};
