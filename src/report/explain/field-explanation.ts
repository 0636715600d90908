import type { FieldExplanation, FieldReference } from '../../api/field-reference';
import { type Block, type Item, strong } from '../document/document';

/** Formats a field of a kind and the fields below it. */
export function formatFieldExplanation(explanation: FieldExplanation): Block[] {
  const { path, description, fields } = explanation;
  return [
    { text: [strong(path), `   ${factsOf(explanation).join(', ')}`], below: describe(description) },
    ...(fields.length > 0 ? ['', ...fields.map(formatField)] : []),
  ];
}

function formatField(field: FieldReference): Item {
  return { text: [strong(field.name), `   ${factsOf(field).join(', ')}`], below: describe(field.description) };
}

function describe(description: string): Block[] {
  return description === '' ? [] : [{ indent: 2, blocks: [description] }];
}

/** The type of a field, whether it is required, and what it may be. */
function factsOf({ type, required, default: preset, values = [], bounds, description }: FieldReference): string[] {
  const [only] = values;
  const [short, ...longer] = type.split(' or ');
  if (short === 'text' && longer.length > 0 && only !== undefined && values.length === 1) {
    return [`${longer.join(' or ')}, or just the text '${only}'`, ...(required ? ['required'] : [])];
  }
  return [
    type,
    ...(required ? ['required'] : []),
    ...(bounds === undefined ? [] : [bounds]),
    ...(values.length > 1 ? [`one of ${values.join(' | ')}`] : values.map((only) => `'${only}'`)),
    ...(preset === undefined || description.includes('Default: ') ? [] : [`default ${JSON.stringify(preset)}`]),
  ];
}
