/** Where the files of a cache can come from. */
export const SOURCES = ['HuggingFace', 'S3', 'GCS', 'HTTP', 'ExistingPVC'] as const;

/** Where the files of a cache come from. */
export type CacheSource = (typeof SOURCES)[number];

/** The block that each source reads. */
export const SOURCE_BLOCK = {
  HuggingFace: 'huggingFace',
  S3: 's3',
  GCS: 'gcs',
  HTTP: 'http',
  ExistingPVC: 'existingPVC',
} as const satisfies Record<CacheSource, string>;
