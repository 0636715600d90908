import { fields } from '../reading/fields';
import { objectName, text } from './names';

/** A reference to one key of a Secret. Only references are ever written down. */
export function secretKey(defaultKey: string) {
  return fields({
    name: objectName.describe('The name of the Secret.'),
    key: text(253).default(defaultKey).describe(`The key in the Secret. Default: ${defaultKey}.`),
  });
}
