import { bytesOf, textOfBytes } from './bytes-of-text';
import { isDate, isDateTime } from './format-dates';
import { dns1035Label, dns1123Label, dns1123Subdomain, labelKey, labelValue } from './format-names';
import { checkUrl } from './url';

/** Says what is wrong with a text; nothing of one that has the format. */
type Validate = (text: string) => readonly string[];

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;

/** A format of texts that Kubernetes has a name for. */
export class NamedFormat {
  // Private to the language as well: CEL macros go over the keys of an object.
  readonly #name: string;
  readonly #validate: Validate;

  constructor(name: string, validate: Validate) {
    this.#name = name;
    this.#validate = validate;
  }

  validate(text: string): readonly string[] {
    return this.#validate(text);
  }

  toString(): string {
    return this.#name;
  }
}

/** The formats by name, with Kubernetes' words (`pkg/cel/library/format.go` of k8s.io/apiserver). */
export const NAMED_FORMATS: ReadonlyMap<string, NamedFormat> = new Map(
  Object.entries({
    dns1123Label,
    dns1123Subdomain,
    dns1035Label,
    qualifiedName: labelKey,
    dns1123LabelPrefix: prefixOf(dns1123Label),
    dns1123SubdomainPrefix: prefixOf(dns1123Subdomain),
    dns1035LabelPrefix: prefixOf(dns1035Label),
    labelValue,
    uri,
    uuid: accepted((text) => UUID.test(text), 'does not match the UUID format'),
    byte: accepted((text) => BASE64.test(text), 'invalid base64'),
    date: accepted(isDate, 'invalid date'),
    datetime: accepted(isDateTime, 'invalid datetime'),
  }).map(([name, validate]) => [name, new NamedFormat(name, validate)]),
);

/** A name that something is added to may end with a dash. */
function prefixOf(validate: Validate): Validate {
  return (text) => {
    const bytes = bytesOf(text);
    return validate(bytes.length > 1 && bytes.endsWith('-') ? textOfBytes(`${bytes.slice(0, -2)}a`) : text);
  };
}

function accepted(accepts: (text: string) => boolean, words: string): Validate {
  return (text) => (accepts(text) ? [] : [words]);
}

function uri(text: string): readonly string[] {
  try {
    checkUrl(text);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
