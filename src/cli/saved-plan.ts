import { type Resource, resourceIdOf } from '../api/kinds';
import { findLiteralSecrets } from '../api/literal-secrets';
import { findPlainTextSecret } from '../api/secret-detection';
import { errorAt } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { tryParseJson } from '../base/json';
import { withoutDefinition } from '../files/model-definitions';
import type { LoadedFleet, ResolvedFleet } from '../files/read-fleet';
import { documentOf } from '../manifest/canonical-document';
import { formatDocuments } from '../manifest/format-yaml';
import { DEFAULT_LIMITS, type Limits, UNLIMITED } from '../manifest/input-limits';
import { loadManifests } from '../manifest/load-manifests';
import type { SourceFile } from '../manifest/source-file';
import { formatLock, type Lock } from '../scheduler/lock/lock';
import { parseLock } from '../scheduler/lock/parse-lock';
import { commandError } from './command-error';

const SAVED_PLAN_KIND = 'SavedPlan';

const SAVED_PLAN_VERSION = 1;

/** A plan has more text than the files that it was made of; its nesting and its aliases are those of any file. */
const LIMITS: Limits = { ...UNLIMITED, depth: DEFAULT_LIMITS.depth, aliasedValues: DEFAULT_LIMITS.aliasedValues };

/** The inputs of a plan, for comparisons with other plans. They include the declarations of programs. */
interface SavedPlan {
  readonly kind: typeof SAVED_PLAN_KIND;
  readonly version: typeof SAVED_PLAN_VERSION;
  /** YAML, with every default. */
  readonly manifests: string;
  readonly lock: string;
  readonly catalogue?: SourceFile | undefined;
  readonly models?: SourceFile | undefined;
  readonly prices?: SourceFile | undefined;
  readonly snapshots: readonly SourceFile[];
}

/** @throws FleetwrightError when a declaration seems to contain a plain-text secret: the file is made to be shared */
export function formatSavedPlan({ effective, locate, named }: ResolvedFleet, lock: Lock): string {
  const problems = effective.flatMap((one) => {
    const ofDeployment = one.kind === 'ModelDeployment' ? findPlainTextSecret(one) : undefined;
    const secret = ofDeployment ?? findLiteralSecrets(one)[0]?.what;
    if (secret === undefined) return [];
    const what = `${secret} may be a secret, and a saved plan contains the declarations`;
    return [errorAt('literal-secret', locate(one, []), what, 'Use valueFrom.secretKeyRef')];
  });
  if (problems.length > 0) throw new FleetwrightError(problems);
  const saved: SavedPlan = {
    kind: SAVED_PLAN_KIND,
    version: SAVED_PLAN_VERSION,
    manifests: formatDocuments(effective.map(withoutDefinition).map(documentOf), 'Every default is written out.'),
    lock: formatLock(lock),
    ...named,
  };
  return `${JSON.stringify(saved, undefined, 2)}\n`;
}

/** @throws FleetwrightError when it is no saved plan, or of another version */
export function parseSavedPlan(text: string, path: string): { read: LoadedFleet; lock: Lock } {
  const { manifests, lock, catalogue, models, prices, snapshots } = parseDocument(text, path);
  const { resources, problems, unread } = loadManifests([{ path, text: manifests }], LIMITS);
  const locate = (resource: Resource): string => `${path}: ${resourceIdOf(resource)}`;
  const named = { catalogue, models, prices, snapshots, otherParts: [], definitions: [], missing: [] };
  const read = { resources, locate, ignored: [], problems, unread, ...named };
  return { read, lock: parseLock(lock, path) };
}

function parseDocument(text: string, path: string): SavedPlan {
  const value = tryParseJson(text) as Partial<SavedPlan> | undefined;
  // The version is checked first, since another version can have other fields.
  if (value?.kind === SAVED_PLAN_KIND && typeof value.version === 'number' && value.version !== SAVED_PLAN_VERSION) {
    const what = `it has version ${value.version} of the format, and this release reads version ${SAVED_PLAN_VERSION}`;
    throw commandError('bad-saved-plan', path, what, 'Save it again with this release');
  }
  if (value && isSavedPlan(value)) return value;
  const hint = "Write one with 'fleetwright plan DIR --save FILE', or use a folder or a git revision";
  throw commandError('bad-saved-plan', path, 'this is not a saved plan', hint);
}

function isSavedPlan(value: Partial<Record<keyof SavedPlan, unknown>>): value is SavedPlan {
  const { kind, manifests, lock, catalogue, prices, snapshots } = value;
  const areTexts = typeof manifests === 'string' && typeof lock === 'string';
  if (kind !== SAVED_PLAN_KIND || !areTexts || !Array.isArray(snapshots)) return false;
  return [catalogue, prices, ...(snapshots as unknown[])].every((file) => file === undefined || isSourceFile(file));
}

function isSourceFile(value: unknown): value is SourceFile {
  return (
    typeof value === 'object' &&
    value !== null &&
    'path' in value &&
    typeof value.path === 'string' &&
    'text' in value &&
    typeof value.text === 'string'
  );
}
