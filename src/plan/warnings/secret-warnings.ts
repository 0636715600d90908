import type { ResourcePath } from '../../api/kinds';
import { findLiteralSecrets, type LiteralSecret } from '../../api/literal-secrets';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { hasOtherDigits, suggestName } from '../../base/name-suggestion';
import { groupBy } from '../../base/order';
import { pluralize } from '../../base/text';
import { type Fleet, listResources } from '../../fleet/fleet';
import { findSecretNames } from '../checks/secret-names';

/** Warns of values that look like secrets in clear text: whoever reads the manifests can use them. */
export function findSecretWarnings(fleet: Fleet): Diagnostic<ResourcePath>[] {
  const known = new Map<object, readonly LiteralSecret[]>();
  return listResources(fleet).flatMap((resource) =>
    findLiteralSecrets(resource, known).map(({ path, what, hint }) =>
      warningAt('secret-in-clear', { resource, path }, `${what} looks like a secret in clear text`, hint),
    ),
  );
}

interface SecretUse {
  readonly name: string;
  readonly at: ResourcePath;
}

/** Finds Secrets that one reference names, and whose name differs by a letter from one of the same namespace. */
export function findMisspelledSecrets(fleet: Fleet): Diagnostic<ResourcePath>[] {
  const known = new Map<object, ReturnType<typeof findSecretNames>>();
  const uses = listResources(fleet).flatMap((resource) => {
    // Resources can share a spec.
    const names = known.get(resource.spec) ?? findSecretNames(resource.spec, ['spec']);
    known.set(resource.spec, names);
    return names.map(({ name, path }): SecretUse => ({ name, at: { resource, path } }));
  });
  return [...groupBy(uses, ({ at }) => at.resource.metadata.namespace ?? '').values()].flatMap((ofNamespace) => {
    const byName = groupBy(ofNamespace, ({ name }) => name);
    const usual = [...byName].flatMap(([name, { length }]) => (length < MIN_USES ? [] : [name]));
    return [...byName.values()].flatMap(([use, ...others]) => {
      const meant = use && others.length === 0 ? suggestName(use.name, usual, 1) : undefined;
      if (!use || meant === undefined || areVariants(use.name, meant)) return [];
      const what = `nothing else refers to Secret '${use.name}'`;
      const count = pluralize(byName.get(meant)?.length ?? 0, 'other reference');
      return [warningAt('misspelled-secret', use.at, what, `Did you mean '${meant}', as in ${count}?`)];
    });
  });
}

/** The references that show that a name is no mistake. */
const MIN_USES = 2;

/** Whether two names are of a series: they differ in digits, or in a part as short as `a` and `b`, `eu` and `us`. */
function areVariants(a: string, b: string): boolean {
  if (hasOtherDigits(a, b)) return true;
  const [one, other] = [a.split(SEPARATOR), b.split(SEPARATOR)];
  if (one.length !== other.length) return false;
  return one.some((part, i) => part !== other[i] && part.length < MIN_PART && (other[i]?.length ?? 0) < MIN_PART);
}

const SEPARATOR = /[-.]/;

/** The fewest letters of a part of a name that is taken for a word. */
const MIN_PART = 4;
