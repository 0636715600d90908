import { excerptOf, formatExcerpt } from '../../../src/base/excerpt';
import { assemble } from '../../../src/fleet/fleet';
import { listCatalogueDevices } from '../../../src/fleet/hardware/catalogue-devices';
import { KnownAttributes } from '../../../src/scheduler/lint/known-attributes';
import { lintSelector } from '../../../src/scheduler/lint/lint-selector';
import { type Doc, parsed } from '../../api/build';

/** Classes that a fleet declares: eight H100 from the catalog, and a card whose driver the catalog does not know. */
const CLASSES: Record<string, Doc> = {
  h100: { from: 'aws/p5.48xlarge' },
  house: {
    devices: [
      {
        name: 'card',
        driver: 'card.example.com',
        deviceClassName: 'card.example.com',
        attributes: { rack: { string: 'a' }, slot: { int: 3 }, 'example.com/fast': { bool: true } },
        capacity: { memory: { value: '16Gi' } },
      },
    ],
  },
};

/** What classes of some specs let selectors read. */
export function vocabularyOf(classes: Record<string, Doc> = CLASSES): KnownAttributes {
  const resources = Object.entries(classes).map(([name, spec]) => parsed('InferenceClass', name, spec));
  const fleet = assemble(resources);
  return new KnownAttributes(fleet.classes, () => listCatalogueDevices(fleet.hardware.catalogue));
}

/** An expression with shorthands written out: `A`, `C` for the GPU's maps, `S` for the standard attributes. */
export function written(expression: string): string {
  const maps: Record<string, string> = {
    A: 'device.attributes["gpu.nvidia.com"]',
    C: 'device.capacity["gpu.nvidia.com"]',
    S: 'device.attributes["resource.kubernetes.io"]',
  };
  return expression.replace(/\b[ACS]\b(?=[.[)]|$| &&)/g, (name) => maps[name]!);
}

/** What is reported of a selector: `severity code: what. hint`, and below it the part that is marked. */
export function reported(expression: string, vocabulary = vocabularyOf()): string[] {
  const text = written(expression);
  return lintSelector(text, vocabulary).map(({ severity, code, message, hint, at: { start, end } }) => {
    const [line = '', carets = ''] = formatExcerpt(excerptOf(text, start, end)).split('\n');
    const marked = line.slice(carets.indexOf('^'), carets.length);
    return `${severity} ${code}: ${message}. ${hint}.  <${marked}>`;
  });
}
