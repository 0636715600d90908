import type { DerivedField } from '../../fleet/models/model-layouts';
import { type Block, indent, strong } from '../document/document';

/** The fields that are derived from a model, in one of its layouts. */
export interface DerivedView {
  /** `2 x H200, TP 2`. */
  readonly layout: string;
  readonly model: string;
  readonly classes: readonly string[];
  readonly fields: readonly DerivedField[];
}

/** The part of a path that all derived fields have. */
const ROOT = /^spec\.template\.spec\./;

/** Formats each derived field with its reason, by layout. */
export function formatDerived(views: readonly DerivedView[]): Block[] {
  return indent(
    views.map(({ layout, model, classes, fields }) => ({
      text: ['derived from ', strong(model), ` for ${layout} (${classes.join(', ')})`],
      below: fields.map(({ field, value, reason }) => `${field.replace(ROOT, '')} ${value}: ${reason}`),
    })),
  );
}
