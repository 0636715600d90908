/**
 * The texts of what entry points reach, by name such as `src/index.d.ts`.
 *
 * @param read the text of a file. Undefined: there is no such file
 */
declare function shakeDeclarations(
  entries: readonly string[],
  read: (name: string) => string | undefined,
): Map<string, string>;
export = shakeDeclarations;
