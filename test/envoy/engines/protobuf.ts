/** A field of a message: a number, or bytes that may be a message again. */
export interface Field {
  readonly number: number;
  readonly value: number | Buffer;
}

/** The fields of a message of Protocol Buffers, of the kinds that Envoy sends: numbers and bytes. */
export function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < message.length; ) {
    const [tag, afterTag] = numberAt(message, at);
    const [first, afterFirst] = numberAt(message, afterTag);
    const isBytes = tag % 8 === 2;
    const end = isBytes ? afterFirst + first : afterFirst;
    fields.push({ number: tag >> 3, value: isBytes ? message.subarray(afterFirst, end) : first });
    at = end;
  }
  return fields;
}

/** The bytes of a field, or none. */
export function bytesOf(fields: readonly Field[], number: number): Buffer | undefined {
  const found = fields.find((field) => field.number === number)?.value;
  return Buffer.isBuffer(found) ? found : undefined;
}

/** A field of a message: text, bytes, a message or a switch. */
export function field(number: number, value: string | Buffer | boolean): Buffer {
  if (typeof value === 'boolean') return Buffer.concat([numberBytes(number * 8), numberBytes(value ? 1 : 0)]);
  const bytes = Buffer.from(value);
  return Buffer.concat([numberBytes(number * 8 + 2), numberBytes(bytes.length), bytes]);
}

function numberAt(message: Buffer, start: number): [value: number, end: number] {
  let value = 0;
  let at = start;
  for (let factor = 1; ; factor *= 128) {
    const byte = message[at++] ?? 0;
    value += (byte % 128) * factor;
    if (byte < 128) return [value, at];
  }
}

function numberBytes(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}
