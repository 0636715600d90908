/** The most uses that the words of an interface name. */
const MOST_USES = 3;

/** Names the first of several fields. */
export function listed(uses: readonly string[]): string {
  const shown = uses.slice(0, MOST_USES).map((use) => `\`${use}\``);
  const more = uses.length - shown.length;
  const [last = '', ...others] = [...shown, ...(more > 0 ? [`${more} more`] : [])].reverse();
  return others.length > 0 ? `${others.reverse().join(', ')} and ${last}` : last;
}

/** A line for what the field is, and one for what holds where it is left out. */
export function comment(description: string | undefined, isOptional: boolean): string {
  const { what, fallback = '- none' } = withoutDefault(description ?? '');
  const lines = [...(what === undefined ? [] : [what]), ...(isOptional ? [`@default ${fallback}`] : [])];
  return `/** ${lines.join('\n * ')} */`;
}

/** What a description says of a field, and of what holds without it. */
export function withoutDefault(description: string): { readonly what?: string; readonly fallback?: string } {
  const [, what = description, fallback] = /^(.*?)\s*Default: (.+?)\.?$/.exec(description) ?? [];
  return { ...(what !== '' && { what }), ...(fallback !== undefined && { fallback }) };
}
