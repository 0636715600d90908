import { formed } from '../shared/names';

/** A path of a request: it begins with `/`. */
export const httpPath = formed({
  noun: 'a path',
  code: 'bad-path',
  pattern: /^\/[!-~]*$/,
  max: 1024,
  hint: "Begin with '/', as in '/health'",
});
