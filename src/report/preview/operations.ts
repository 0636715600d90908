/** What happens to a resource. */
export type PreviewedChange = 'replace' | 'delete' | 'update' | 'create' | 'import';

interface Operation {
  readonly past: string;

  /** The steps of Pulumi. A replacement is several steps of one resource. */
  readonly ops: readonly string[];
}

/**
 * The steps of Pulumi that change something, in the order in which a reader looks for them: what is lost first. Others,
 * as `same`, `read`, `refresh` and `discard`, change no resource.
 */
export const OPERATIONS: Readonly<Record<PreviewedChange, Operation>> = {
  replace: {
    past: 'replaced',
    ops: ['replace', 'create-replacement', 'delete-replaced', 'import-replacement', 'read-replacement'],
  },
  delete: { past: 'deleted', ops: ['delete'] },
  update: { past: 'updated', ops: ['update'] },
  create: { past: 'created', ops: ['create'] },
  import: { past: 'imported', ops: ['import'] },
};

export const PREVIEWED_CHANGES = Object.keys(OPERATIONS) as readonly PreviewedChange[];

export function changeOf(op: string): PreviewedChange | undefined {
  return PREVIEWED_CHANGES.find((change) => OPERATIONS[change].ops.includes(op));
}
