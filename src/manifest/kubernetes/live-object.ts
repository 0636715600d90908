import { idText } from '../../base/text';
import type { JsonObject } from './manifest';

/** An object as an API server returns it, with the fields that the cluster adds. Every manifest is one too. */
export interface LiveObject extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: LiveMetadata;
}

export interface LiveMetadata extends JsonObject {
  readonly name: string;

  /** Absent for kinds that are in no namespace. */
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** `namespace/name`, or the name alone. */
export function formatNamespacedName({ metadata: { namespace, name } }: Pick<LiveObject, 'metadata'>): string {
  return idText(namespace, name);
}
