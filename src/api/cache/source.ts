/** Where the files of a cache can come from. */
export const CACHE_SOURCES = ['HuggingFace', 'S3', 'GCS', 'HTTP', 'ExistingPVC'] as const;

/** Where the files of a cache come from. */
export type CacheSource = (typeof CACHE_SOURCES)[number];

/** The block that each source reads. */
export const CACHE_SOURCE_BLOCK = {
  HuggingFace: 'huggingFace',
  S3: 's3',
  GCS: 'gcs',
  HTTP: 'http',
  ExistingPVC: 'existingPVC',
} as const satisfies Record<CacheSource, string>;

/** The name of the file that an address leads to, or nothing where its path ends in none. */
export function fileNameOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const name = decodePart(new URL(url).pathname.split('/').at(-1) ?? '');
  return isFileName(name) ? name : undefined;
}

/** Whether a text names a file of a folder: without a slash, and not the folder itself. */
export function isFileName(name: string): boolean {
  return name !== '' && !/^\.+$|[/\0]/.test(name);
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
