/**
 * Matches characters that a reader does not see or that change what others look like: control characters, marks of
 * direction, invisible ones, tags and separators of lines. The joiners of emoji and of some scripts are not among them.
 */
const INVISIBLE = /(?!\u200C|\u200D|[\t\n])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * Shows invisible characters as escapes: `\u202e`. Keeps line breaks and tabs. Texts of users, files and servers pass it
 * before a person reads them; in JSON, the escape stands for the character.
 */
export function showInvisible(text: string): string {
  return text.replace(INVISIBLE, formatEscape);
}

/** As `showInvisible`, on one line: also line breaks and tabs are escapes. */
export function showOnOneLine(text: string): string {
  return showInvisible(text).replace(/[\n\t]/g, formatEscape);
}

/** The escape of each UTF-16 unit of a character, as in JSON. */
function formatEscape(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Matches the start of a line that GitHub runs as a command, and the older form of it, which counts anywhere. */
const CI_COMMAND = /^([^\S\n\r\u2028\u2029]*):(?=:)|#(?=#(?:\[|vso\[))/gm;

/**
 * Escapes what a CI runs as a command where it reads it in a log: `::stop-commands::` at the start of a line, `##[` and
 * `##vso[`. The escapes stand for the characters in JSON.
 */
export function disarmCiCommands(text: string): string {
  return text.replace(CI_COMMAND, (sign, indent: string | undefined) =>
    indent === undefined ? formatEscape(sign) : indent + formatEscape(':'),
  );
}
