export const CACHE_SOURCES = ['HuggingFace', 'S3', 'GCS', 'HTTP', 'ExistingPVC'] as const;
export type CacheSource = (typeof CACHE_SOURCES)[number];

/** The field of the spec with the settings of each source. */
export const CACHE_SOURCE_BLOCK = {
  HuggingFace: 'huggingFace',
  S3: 's3',
  GCS: 'gcs',
  HTTP: 'http',
  ExistingPVC: 'existingPVC',
} as const satisfies Record<CacheSource, string>;

/** The file name at the end of the path of a URL. Undefined if the path does not end in a file name. */
export function fileNameOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const name = decodePart(new URL(url).pathname.split('/').at(-1) ?? '');
  return isFileName(name) ? name : undefined;
}

/** Whether a text is a valid file name: not empty, without slash and NUL, and not only dots. */
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
