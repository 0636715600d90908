import type { Path } from '../../api/resource';
import { isMap } from '../../base/json';

/** A reference to a Secret by its name, and the path of the name. */
interface SecretName {
  readonly name: string;
  readonly path: Path;
}

/** The fields that refer to a Secret, at any depth of a spec, with the fields that can hold its name. */
const REFERENCE_FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['authSecret', ['name']],
  ['imagePullSecrets', ['name']],
  ['nodePublishSecretRef', ['name']],
  ['pullSecretRef', ['name']],
  // A volume has `secretName`, a source of a projected volume has `name`.
  ['secret', ['secretName', 'name']],
  ['secretKeyRef', ['name']],
  ['secretRef', ['name']],
]);

/** Finds the Secrets that a declared value refers to. Optional references count: pods read those Secrets too. */
export function findSecretNames(value: unknown, path: Path = []): SecretName[] {
  const found: SecretName[] = [];
  collectNames(value, { at: [...path], found }, []);
  return found;
}

interface Search {
  /** The path of the current value. It grows and shrinks: few of the many values of a fleet are names of Secrets. */
  readonly at: Path[number][];
  readonly found: SecretName[];
}

function collectNames(value: unknown, search: Search, fields: readonly string[]): void {
  if (Array.isArray(value)) {
    value.forEach((item, i) => collectField(i, item, search, fields));
  } else if (isMap(value)) {
    for (const [field, inner] of Object.entries(value)) {
      if (typeof inner === 'object') collectField(field, inner, search, REFERENCE_FIELDS.get(field) ?? []);
      else if (typeof inner === 'string' && fields.includes(field)) {
        search.found.push({ name: inner, path: [...search.at, field] });
      }
    }
  }
}

function collectField(field: Path[number], value: unknown, search: Search, fields: readonly string[]): void {
  search.at.push(field);
  collectNames(value, search, fields);
  search.at.pop();
}
