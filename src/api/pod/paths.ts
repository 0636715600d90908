import { formed } from '../shared/names';

/** A path within a volume, or below a folder of the node. */
export const relativePath = formed({
  noun: 'a path within a folder',
  code: 'bad-path',
  pattern: /^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$)).+$/,
  max: 4096,
  hint: "Begin it without '/', and leave out '..'",
});

/** A path from the root. */
export const absolutePath = formed({
  noun: 'a path from the root',
  code: 'bad-path',
  pattern: /^\/(?!(?:.*\/)?\.\.(?:\/|$))[^:]*$/,
  max: 4096,
  hint: "Begin it with '/', and leave out '..' and ':'",
});
