import type { Fault } from '../api/checks/fault';
import { type Resource, resourceId } from '../api/kinds';
import { SILENCE } from '../api/labels';
import { nearest } from '../nearest';
import { WARNING_CODES } from './warning-codes';

/** Warnings, and notes on those that resources silence. */
export interface Heard {
  readonly warnings: readonly Fault[];
  readonly notes: readonly string[];
}

/**
 * Leaves out warnings that their resource silences with an annotation `fleetwright.dev/silence-CODE: reason`. Each
 * silence is noted with its reason; one that silences nothing known, or says no reason, is a warning itself.
 */
export function heard(warnings: readonly Fault[], resources: readonly Resource[]): Heard {
  const notes = new Set<string>();
  const left = warnings.filter(({ code, resource }) => {
    const reason = resource.metadata.annotations[SILENCE + code]?.trim();
    if (!reason) return true;
    notes.add(`${resourceId(resource)} silences ${code}: ${reason}`);
    return false;
  });
  return { warnings: [...left, ...resources.flatMap(badSilences)], notes: [...notes] };
}

function badSilences(resource: Resource): Fault[] {
  const keys = Object.keys(resource.metadata.annotations).filter((key) => key.startsWith(SILENCE));
  return keys.flatMap((key) => {
    const path = ['metadata', 'annotations', key];
    const code = key.slice(SILENCE.length);
    const said = Object.hasOwn(WARNING_CODES, code)
      ? noReason(resource.metadata.annotations[key] ?? '')
      : unknownCode(code);
    return said ? [{ resource, path, ...said }] : [];
  });
}

function noReason(reason: string): Omit<Fault, 'resource' | 'path'> | undefined {
  if (reason.trim() !== '') return undefined;
  const what = 'a silence without a reason silences nothing';
  return { code: 'bad-silence', what, hint: 'Write why the warning does not matter here' };
}

function unknownCode(code: string): Omit<Fault, 'resource' | 'path'> {
  const known = Object.keys(WARNING_CODES);
  const meant = nearest(code, known);
  const hint = meant ? `Use '${meant}'` : `Use one of ${known.join(', ')}`;
  return { code: 'bad-silence', what: `there is no warning '${code}' to silence`, hint };
}
