import { OUR_GROUP, VERSION } from '../api/resource';
import { parseResource } from '../api/kinds';
import type { InferenceClass } from '../api/inference-class';
import type { Catalogue } from './catalogue';
import type { Entry } from './entries';
import { expandClass } from './expand-class';

/** The class that an instance type stands for, written out: what `from` with its name expands to. */
export function classOf({ type }: Entry, catalogue: Catalogue): InferenceClass {
  const parsed = parseResource({
    apiVersion: `${OUR_GROUP[0]}/${VERSION}`,
    kind: 'InferenceClass',
    metadata: { name: type.name.replace('/', '-').replaceAll('_', '-').toLowerCase() },
    spec: { from: type.name },
  });
  if ('findings' in parsed || parsed.resource.kind !== 'InferenceClass') {
    throw new Error(`bug: ${type.name} makes no class`);
  }
  const { from: _, ...spec } = expandClass(parsed.resource, catalogue).resource.spec;
  return { ...parsed.resource, spec };
}
