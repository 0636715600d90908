/** The name of the file that an address leads to, or nothing where its path ends in none. */
export function fileNameOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const name = decoded(new URL(url).pathname.split('/').at(-1) ?? '');
  return isFileName(name) ? name : undefined;
}

/** Whether a text names a file of a folder: without a slash, and not the folder itself. */
export function isFileName(name: string): boolean {
  return name !== '' && !/^\.+$|[/\0]/.test(name);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
