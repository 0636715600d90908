import { celSelectorsOf } from '../../../src/api/request-alternatives';
import { findWrittenPart } from '../../../src/api/select/selector-source';

const WHERE = { supports: 'FP8', memory: '>= 79Gi', architecture: ['Hopper', 'Ada Lovelace'], pcieRoot: 'no' };

const rows: Record<string, readonly [part: string, path: string, line: string]> = {
  'an entry is shown alone, with its path': [
    'device.capacity["gpu.nvidia.com"].memory',
    'where.memory',
    'memory: ">= 79Gi"',
  ],
  'a list is shown as written': ['["Hopper"', 'where.architecture', 'architecture: [Hopper, Ada Lovelace]'],
  'an entry that stands for another attribute is shown by its own name': [
    'device.attributes["gpu.nvidia.com"].cudaComputeCapability',
    'where.supports',
    'supports: FP8',
  ],
  'a guard belongs to its entry, and words of YAML stay in quotes': [
    '"pcieRoot" in',
    'where.pcieRoot',
    'pcieRoot: "no"',
  ],
};

test.each(Object.entries(rows))('%s', (_, [part, path, line]) => {
  const [selector] = celSelectorsOf({ where: WHERE, selectors: [] });
  const start = selector!.cel.indexOf(part);
  const found = findWrittenPart(selector!, { start, end: start + part.length });
  expect([found.path.join('.'), found.excerpt]).toEqual([path, { line, column: 1, width: line.length }]);
});

test('a part over several entries is shown as these, at the where', () => {
  const [selector] = celSelectorsOf({ where: WHERE, selectors: [] });
  const found = findWrittenPart(selector!, { start: 0, end: selector!.cel.length });
  expect([found.path, found.excerpt.line]).toEqual([
    ['where'],
    'supports: FP8, memory: ">= 79Gi", architecture: [Hopper, Ada Lovelace], pcieRoot: "no"',
  ]);
});

test('a part of an expression is shown in the expression', () => {
  const [selector] = celSelectorsOf({ selectors: [{ cel: 'a && b' }] });
  expect(findWrittenPart(selector!, { start: 5, end: 6 })).toEqual({
    path: ['selectors', 0, 'cel'],
    excerpt: { line: 'a && b', column: 6, width: 1 },
  });
});
