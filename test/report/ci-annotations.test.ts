import { asWarning, errorAt } from '../../src/base/diagnostic';
import { formatAnnotations } from '../../src/report/ci-annotations';

const cases: Record<string, { where: string; what?: string; want: string }> = {
  'a problem is next to its line': {
    where: 'a/b.yaml:3:9',
    want: '::error file=a/b.yaml,line=3,col=9,title=fleetwright%3A bad-name::it is wrong. Mend it.\n',
  },
  'a construct has no line': {
    where: 'App/fleet/chat',
    want: '::error title=fleetwright%3A bad-name::App/fleet/chat: it is wrong. Mend it.\n',
  },
  'what a file is called ends no property': {
    where: 'a,b:c%.yaml:3:9',
    want: '::error file=a%2Cb%3Ac%25.yaml,line=3,col=9,title=fleetwright%3A bad-name::it is wrong. Mend it.\n',
  },
  'what is reported ends no line': {
    where: 'a.yaml:1:1',
    what: 'one\n::error::two',
    want: '::error file=a.yaml,line=1,col=1,title=fleetwright%3A bad-name::one%0A::error::two. Mend it.\n',
  },
};

test.each(Object.entries(cases))('%s', (_, { where, what = 'it is wrong', want }) => {
  const error = errorAt('bad-name', where, what, 'Mend it');
  expect(formatAnnotations([error], 'github')).toBe(want);
  expect(formatAnnotations([asWarning(error)], 'github')).toBe(want.replace('error', 'warning'));
});
