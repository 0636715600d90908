import { shortenText } from '../../base/describe-value';
import { isQuantity, parseQuantity } from '../../cel/values/quantity';

/** What is wrong with a quantity, and the remedy. */
export interface QuantityFault {
  readonly what: string;
  readonly hint: string;
}

const MI = 2 ** 20;

/** The least amounts of memory and of files that a user can mean, in bytes. Smaller ones lack their unit. */
export const LEAST_MEMORY = MI;
export const LEAST_FILE_SIZE = 2 ** 10;

/** The least memory of a device that a user can ask for: the smallest parts of GPUs have more. Smaller has the unit of GPUs. */
export const LEAST_DEVICE_MEMORY = 2 ** 30;

const BYTE_NAMES: ReadonlySet<string> = new Set(['localDisk', 'sizeLimit', 'nominal']);

/** Whether a capacity or a field of this name is an amount of bytes: `memory`, `addressableMemory`, `localDisk`. */
export function isByteName(name: string): boolean {
  return /memory$/i.test(name) || BYTE_NAMES.has(name);
}

interface QuantityUse {
  /** The least amount in bytes. Absent: the quantity does not count bytes. */
  readonly least?: number | undefined;

  /** Formats a value for the hint, as in a comparison: `>= 22Gi`. */
  readonly format?: (value: string) => string;
}

/**
 * Finds what is wrong with a quantity: its form, or a missing unit.
 *
 * @example
 * findQuantityFault('22GB')?.hint; // "Did you mean '22Gi'?"
 * findQuantityFault('22', { least: LEAST_MEMORY })?.what; // "'22' means 22 bytes"
 */
export function findQuantityFault(text: string, { least, format }: QuantityUse = {}): QuantityFault | undefined {
  const hintAt = (value: string): string => `Did you mean '${format?.(value) ?? value}'?`;
  if (!isQuantity(text)) {
    const meant = suggestQuantity(text, least !== undefined);
    const otherwise = "Write a number and an optional unit without a space, as in '80Gi'";
    const what = `'${shortenText(text)}' is not a Kubernetes quantity`;
    return { what, hint: meant === undefined ? otherwise : hintAt(meant) };
  }
  const bytes = parseQuantity(text).asApproximateFloat();
  if (least === undefined || bytes <= 0 || bytes >= least) return undefined;
  const [, digits, milli] = WITHOUT_UNIT.exec(text) ?? [];
  if (digits === undefined) return least === LEAST_DEVICE_MEMORY ? findTooSmall(text, hintAt) : undefined;
  const unit = milli || least < LEAST_MEMORY || Number(digits) > MOST_GI ? 'Mi' : 'Gi';
  return { what: `'${text}' means ${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`, hint: hintAt(`${digits}${unit}`) };
}

function findTooSmall(text: string, hintAt: (value: string) => string): QuantityFault | undefined {
  const [digits] = /^\d+/.exec(text) ?? [];
  return digits === undefined
    ? undefined
    : { what: `'${text}' is less than any device has`, hint: hintAt(`${digits}Gi`) };
}

/** A number that counts bytes, or thousandths of them. */
const WITHOUT_UNIT = /^\+?(\d+(?:\.\d+)?)(m?)$/;

/** The largest number without a unit that is taken for Gi. Larger ones are taken for Mi. */
const MOST_GI = 2048;

const MISSPELT = /^(\d+(?:\.\d+)?)([kmgtpe])(i?b?|i?bytes?)$/i;

const COUNT = /^(\d+(?:\.\d+)?)(?:v?cpus?|cores?)$/i;

/** The quantity that a misspelling stands for: `22Gi` for `22GB`, `22GiB`, `22 Gi` and `22gi`, `4` for `4 cores`. */
function suggestQuantity(text: string, countsBytes: boolean): string | undefined {
  const closed = text.replaceAll(/\s+/g, '');
  const [, digits, letter] = MISSPELT.exec(closed) ?? [];
  const [, cores] = COUNT.exec(closed) ?? [];
  if (cores !== undefined && !countsBytes) return cores;
  if (isQuantity(closed) && !(countsBytes && closed.endsWith('m'))) return closed;
  return digits === undefined || letter === undefined ? undefined : `${digits}${letter.toUpperCase()}i`;
}
