import {
  asWarning,
  removeRepeated,
  errorAt,
  formatDiagnostic,
  limitListed,
  relocate,
  warningAt,
} from '../../src/base/diagnostic';
import { toDiagnosticDocument, errorFrom } from '../../src/base/diagnostic-document';

const error = errorAt('bad-quantity', 'a.yaml:3:9', "'80 Gi' is not a quantity", "Write '80Gi'");

test('a diagnostic is one line, with a full stop after each clause that has no question mark', () => {
  expect(formatDiagnostic(error)).toBe("a.yaml:3:9: '80 Gi' is not a quantity. Write '80Gi'.");
  expect(formatDiagnostic({ ...error, hint: 'Use 80Gi?' })).toBe("a.yaml:3:9: '80 Gi' is not a quantity. Use 80Gi?");
});

test('a diagnostic about an expression shows its line below', () => {
  const excerpt = { line: 'a.b', column: 3, width: 1 };
  expect(formatDiagnostic({ ...warningAt('no-device', 'x', 'it is wrong', 'Correct it'), excerpt })).toBe(
    'x: it is wrong. Correct it.\n    a.b\n      ^',
  );
});

test('a diagnostic moves from one position to the next, and keeps the rest', () => {
  const inText = errorAt('bad-quantity', 8, "'80 Gi' is not a quantity", "Write '80Gi'");
  expect(relocate(inText, (offset) => `a.yaml:3:${offset + 1}`)).toEqual(error);
});

test('a rule that only warns changes the severity alone', () => {
  expect(asWarning(error)).toEqual({ ...error, severity: 'warning' });
});

test('what is found twice is reported once', () => {
  const other = errorAt('bad-quantity', 'b.yaml:3:9', 'it is wrong', 'Correct it');
  expect(removeRepeated([error, { ...error }, other])).toEqual([error, other]);
});

test('a run lists its first problems, and counts the others', () => {
  const many = Array.from({ length: 5 }, (_, i) =>
    errorAt('no-manifest', `a.yaml:${i + 1}:1`, 'it is wrong', 'Fix it'),
  );
  expect(limitListed(many, 5)).toEqual(many);
  expect(limitListed(many, 3).map(formatDiagnostic)).toEqual([
    'a.yaml:1:1: it is wrong. Fix it.',
    'a.yaml:2:1: it is wrong. Fix it.',
    'a.yaml:3:1: it is wrong. Fix it.',
    'a.yaml:4:1: 2 more problems are not shown. Fix the problems above first.',
  ]);
});

test('JSON names position and message as before, without the severity, and reads back as an error', () => {
  const document = {
    code: 'bad-quantity',
    where: 'a.yaml:3:9',
    what: "'80 Gi' is not a quantity",
    hint: "Write '80Gi'",
  };
  expect(toDiagnosticDocument(error)).toEqual(document);
  expect(toDiagnosticDocument(asWarning(error))).toEqual(document);
  expect(errorFrom(document)).toEqual(error);
});
