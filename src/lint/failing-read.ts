import type { Remark } from './remark';
import { stateIt } from './state-it';
import { Subject } from './subject';
import type { Vocabulary } from './vocabulary';

/** What to tell of a selector that fails on some devices: which part it is, and the cure. */
export type Failing = Pick<Remark, 'code' | 'start' | 'end' | 'hint'>;

/** Finds what a selector reads that a device does not have. What the driver publishes has to be stated by the class. */
export function failingRead(expression: string, message: string, vocabulary: Vocabulary): Failing {
  const subject = new Subject(expression, vocabulary);
  const missing = /: (\w+)$/.exec(message)?.[1];
  const read = subject.reads.find(({ name, asked }) => name === missing && !asked);
  if (!read) {
    const hint = 'Guard what some devices leave out: `"name" in device.attributes["domain"] && ...`';
    return { code: 'selector-error', start: 0, end: expression.length, hint };
  }
  const { from, domain, name } = read;
  const span = subject.span(read.node);
  const known = vocabulary.word(from, domain, name)?.known;
  const silent = vocabulary.silentDevice(read);
  return known && !known.optional && silent
    ? { code: 'unstated-attribute', ...span, hint: stateIt(known, silent) }
    : {
        code: 'selector-error',
        ...span,
        hint: `Guard what some devices leave out: "${name}" in device.${from}["${domain}"] && ...`,
      };
}
