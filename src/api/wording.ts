/** How messages name the types that fields may have. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
};

/** The name of a type that a field has. */
export function typeNamed(type: string): string {
  return TYPES[type] ?? type;
}

/** The name of the type of a value, without the value. */
export function typeOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeNamed(typeof value);
}

/** A value as a message shows it: short scalars in full, everything else by its type. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `the text "${shortened(value)}"`;
  if (typeof value === 'number' || typeof value === 'bigint') return `the number ${value}`;
  if (typeof value === 'boolean') return String(value);
  return typeOf(value);
}

const LONGEST = 60;

/** At most 60 characters of a text, on one line. */
export function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}...` : line;
}

/** `1 item`, `2 items`. */
export function counted(count: number | bigint, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
