import type { Phase } from '../map-data';
import { createElement } from './dom';
import type { DeploymentView } from './fleet-view';

/** What a segment says of its pod where it has room: a sign for what happens, the phase, and a name. */
export interface Caption {
  readonly deployment: DeploymentView;
  readonly sign: string;
  readonly phase: Phase;
}

const CAPTIONS = new WeakMap<Element, Caption>();

/** About the width in pixels of a sign and of a phase before a name. */
const [SIGN, PHASE] = [13, 16];

/** The height in pixels of a sign with a name below it. */
const TWO_LINES = 24;

/** About the width in pixels of narrow, wide and other characters in the wider fonts of systems. */
const [NARROW, WIDE, OTHER] = [4.6, 10.7, 7];

/** The width of a name on a segment, so that it is never cut: a part of a number is another number. */
function widthOf(text: string): number {
  const narrow = text.match(/[fijlrt.-]/g)?.length ?? 0;
  const wide = text.match(/[mw]/g)?.length ?? 0;
  return narrow * NARROW + wide * WIDE + (text.length - narrow - wide) * OTHER;
}

/** Keeps the caption of a segment until the segment has its width. */
export function rememberCaption(segment: HTMLElement, caption: Caption): void {
  CAPTIONS.set(segment, caption);
}

/**
 * Writes the captions of the segments in some boxes. All widths are read before anything is written, so that the page is
 * laid out once. A caption that is cut nonetheless, as in an unusual font, is left out.
 */
export function drawCaptions(boxes: readonly Element[]): void {
  const segments = boxes.flatMap((box) => [...box.querySelectorAll('.seg')]);
  const captions = segments.flatMap((segment) => {
    const caption = CAPTIONS.get(segment);
    return caption ? [{ segment, caption, room: roomOf(segment) }] : [];
  });
  for (const { segment, caption, room } of captions) drawCaption(segment, caption, room);
  const cut = captions.filter(({ segment }) => isCut(segment));
  for (const { segment } of cut) writeCaption(segment, [], '');
}

interface Room {
  /** Between the paddings, in pixels of the usual text: a segment of a single device has none, and smaller text. */
  readonly width: number;

  /** Whether there is a second line. */
  readonly isTall: boolean;
}

function roomOf(segment: Element): Room {
  const { clientWidth, clientHeight } = segment;
  const width = segment.classList.contains('one') ? clientWidth * (11 / 10) : clientWidth - 4;
  return { width, isTall: clientHeight >= TWO_LINES };
}

function isCut({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Element): boolean {
  return scrollWidth > clientWidth || scrollHeight > clientHeight;
}

function drawCaption(segment: Element, caption: Caption, { width, isTall }: Room): void {
  const { signs, text } = captionOf(caption, width);
  const below = text === '' && isTall ? captionOf({ ...caption, sign: '' }, width) : undefined;
  const isStacked = caption.sign !== '' && signs.length > 0 && below !== undefined && below.text !== '';
  if (isStacked) writeCaption(segment, [createSign(caption.sign), ...below.signs], below.text, isStacked);
  else writeCaption(segment, signs, text);
}

function writeCaption(segment: Element, signs: readonly Node[], text: string, isStacked = false): void {
  segment.replaceChildren(...signs, text);
  segment.classList.toggle('stacked', isStacked);
  segment.classList.toggle('named', text !== '');
}

function createSign(sign: string): HTMLElement {
  return createElement('b', {}, sign);
}

/** Returns what has room on a line of a segment: first the sign, then the phase, then the name or else the unique label. */
function captionOf({ deployment, sign, phase }: Caption, width: number): { signs: Node[]; text: string } {
  const signs = sign === '' ? [] : [createSign(sign)];
  const hasPhase = phase !== '' && width >= SIGN * signs.length + PHASE;
  const phases = hasPhase ? [createElement('i', { class: 'phase' }, phase.slice(0, 1))] : [];
  const room = width - SIGN * signs.length - PHASE * phases.length;
  const text = [deployment.name, deployment.label].find((one) => widthOf(one) <= room) ?? '';
  return { signs: [...signs, ...phases], text };
}
