import { formatCount } from '../../../base/figures';
import { capitalize } from '../../../base/text';
import type { MessageData, PlanMessageData } from '../map-data';
import { createElement, createFold, fillList } from './dom';
import { countMessages } from './fleet-figures';
import type { FleetView } from './fleet-view';

/** The most positions of a message that are shown at first. */
const MAX_POSITIONS = 3;

/** Builds a card for each message: what is wrong, what to do and where. Others of its kind are folded. */
export function buildMessagesPanel({ data: { remarks } }: FleetView): Node[] {
  if (remarks.length === 0) return [createElement('p', {}, 'No warnings.')];
  return fillList(createElement('ul', { class: 'remarks' }), remarks, createCard);
}

function createCard(message: PlanMessageData): HTMLElement {
  const { kind, rule, more, others = [] } = message;
  const count = countMessages([message]);
  const title = `${MESSAGE_WORDS[kind]}${rule === undefined ? '' : ` by ${rule}`}`;
  return createElement(
    'li',
    { class: `message ${kind}` },
    createElement(
      'p',
      { class: 'kind' },
      createElement('strong', {}, title),
      count > 1 ? createElement('span', { class: 'muted' }, ` ${formatCount(count)} of this kind`) : undefined,
    ),
    ...createMessage(message),
    more === undefined
      ? undefined
      : createFold([capitalize(more)], () =>
          fillList(createElement('ul', { class: 'others' }), others, (other) =>
            createElement('li', {}, ...createMessage(other)),
          ),
        ),
  );
}

function createMessage({ text, hint, at, excerpt }: MessageData): HTMLElement[] {
  const places = at.map((place) => createElement('p', { class: 'place' }, place));
  const more = places.slice(MAX_POSITIONS);
  return [
    createElement('p', { class: 'what' }, text),
    ...(hint === undefined ? [] : [createElement('p', {}, hint)]),
    ...(excerpt === undefined ? [] : [createElement('code', { class: 'lines' }, excerpt)]),
    ...places.slice(0, MAX_POSITIONS),
    ...(more.length === 0 ? [] : [createFold([`${formatCount(more.length)} more positions`], () => more)]),
  ];
}

const MESSAGE_WORDS: Readonly<Record<PlanMessageData['kind'], string>> = {
  denied: 'Denied',
  warning: 'Warning',
  drain: 'Draining',
  known: 'Warning that this change does not bring',
  note: 'Note',
};
