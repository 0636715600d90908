import { randomBytes } from 'node:crypto';

/** A text as a frame of a WebSocket (RFC 6455), masked where a client sends it. At most 65,535 bytes. */
export function frameOf(text: string, masked: boolean): Buffer {
  const payload = Buffer.from(text);
  const bit = masked ? 0x80 : 0;
  const length =
    payload.length < 126
      ? Buffer.from([bit | payload.length])
      : Buffer.from([bit | 126, payload.length >> 8, payload.length & 0xff]);
  const mask = masked ? randomBytes(4) : Buffer.alloc(0);
  return Buffer.concat([Buffer.from([0x81]), length, mask, unmasked(payload, mask)]);
}

/** Takes whole frames off what has come, and gives their texts and what is left. */
export function framesIn(data: Buffer): { texts: string[]; rest: Buffer } {
  const texts: string[] = [];
  let rest = data;
  for (;;) {
    const second = rest[1] ?? 0;
    const long = (second & 0x7f) === 126;
    const length = long ? rest.readUInt16BE(rest.length >= 4 ? 2 : 0) : second & 0x7f;
    const start = (long ? 4 : 2) + (second & 0x80 ? 4 : 0);
    if (rest.length < 2 || rest.length < start + length) return { texts, rest };
    const mask = second & 0x80 ? rest.subarray(start - 4, start) : Buffer.alloc(0);
    texts.push(unmasked(rest.subarray(start, start + length), mask).toString('utf8'));
    rest = rest.subarray(start + length);
  }
}

function unmasked(payload: Buffer, mask: Buffer): Buffer {
  return mask.length === 0 ? payload : Buffer.from(payload.map((byte, i) => byte ^ (mask[i % 4] ?? 0)));
}
