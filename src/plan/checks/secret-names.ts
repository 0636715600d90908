import type { Path } from '../../api/resource';
import { isMap } from '../../base/json';

/** A reference to a Secret by its name, and the path of the name. */
interface SecretName {
  readonly name: string;
  readonly path: Path;
}

/** The fields that refer to a Secret, at any depth of a spec, with the fields that can hold its name. */
const REFERENCES: Readonly<Record<string, readonly string[]>> = {
  authSecret: ['name'],
  imagePullSecrets: ['name'],
  nodePublishSecretRef: ['name'],
  pullSecretRef: ['name'],
  // A volume has `secretName`, a source of a projected volume has `name`.
  secret: ['secretName', 'name'],
  secretKeyRef: ['name'],
  secretRef: ['name'],
};

/** Finds the Secrets that a declared value refers to. Optional references count: pods read those Secrets too. */
export function findSecretNames(value: unknown, path: Path = [], fields: readonly string[] = []): SecretName[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => findSecretNames(item, [...path, i], fields));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([field, inner]) => {
    const own = fields.includes(field) && typeof inner === 'string' ? [{ name: inner, path: [...path, field] }] : [];
    return [
      ...own,
      ...findSecretNames(inner, [...path, field], Object.hasOwn(REFERENCES, field) ? REFERENCES[field] : []),
    ];
  });
}
