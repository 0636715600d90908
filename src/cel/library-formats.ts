import { Optional, type RegisteredFunctionHandler } from 'cel-js';
import { celQuote } from './go-quote';
import { NAMED_FORMATS, type NamedFormat } from './named-format';
import { formatText } from './text-format';

/** Kubernetes' functions on formats that have names, by signature (`format.go` of its CEL library). */
export const FORMATS: Readonly<Record<string, RegisteredFunctionHandler>> = {
  ...Object.fromEntries(
    [...NAMED_FORMATS].map(([name, format]) => [
      `FormatNamespace.${name}(): kubernetes.NamedFormat`,
      () => format,
    ]),
  ),
  'FormatNamespace.named(string): optional<kubernetes.NamedFormat>': (_: unknown, name: string) =>
    present(NAMED_FORMATS.get(name)),
  'kubernetes.NamedFormat.validate(string): optional<list<string>>': (format: NamedFormat, text: string) => {
    const wrong = format.validate(text);
    return present(wrong.length > 0 ? wrong : undefined);
  },
};

/** The functions of the strings library that write texts, by signature. */
export const WRITING: Readonly<Record<string, RegisteredFunctionHandler>> = {
  'string.format(list): string': (format: string, values: readonly unknown[]) => formatText(format, values),
  'StringsNamespace.quote(string): string': (_: unknown, text: string) => celQuote(text),
};

function present(value: unknown): Optional {
  return value === undefined ? Optional.none() : Optional.of(value);
}
