import type { ResourcePath } from '../../api/kinds';
import { findLiteralSecrets, type LiteralSecret } from '../../api/literal-secrets';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { type Fleet, listResources } from '../../fleet/fleet';

/** Warns of values that look like secrets in clear text: whoever reads the manifests can use them. */
export function findSecretWarnings(fleet: Fleet): Diagnostic<ResourcePath>[] {
  const known = new Map<object, readonly LiteralSecret[]>();
  return listResources(fleet).flatMap((resource) =>
    findLiteralSecrets(resource, known).map(({ path, what, hint }) =>
      warningAt('secret-in-clear', { resource, path }, `${what} looks like a secret in clear text`, hint),
    ),
  );
}
