import type { DerivedField } from '../../fleet/models/model-layouts';

const ROOT = 'spec.template.spec';

/** Collects the fields that are derived from a model, with their reasons. */
export class DerivedFields {
  readonly #fields: DerivedField[];

  constructor(known: readonly DerivedField[] = []) {
    this.#fields = [...known];
  }

  /** @param field below the template of the deployment */
  add(field: string, value: string, reason: string): void {
    this.#fields.push({ field: `${ROOT}.${field}`, value, reason });
  }

  /** Adds a field that is not written. */
  unless(written: string | undefined, ...field: Parameters<DerivedFields['add']>): void {
    if (written === undefined) this.add(...field);
  }

  get all(): readonly DerivedField[] {
    return this.#fields;
  }
}
