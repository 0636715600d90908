import { rules } from '../reading/rule';
import { text } from '../shared/names';

/** What signed addresses carry, in the words of AWS, Google and Azure: whoever has one may read the file. */
const SIGNATURE = /[?&](x-amz-signature|x-goog-signature|sig)=/i;

/** The address of a file or a store. Never shown in messages: somebody may have written a password into it. */
export const webAddress = text(2048).check(
  rules(function* good(value: string) {
    const url = URL.canParse(value) && !/\s/.test(value) ? new URL(value) : undefined;
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
      yield {
        code: 'bad-address',
        path: [],
        what: 'this is not the address of a web server',
        hint: "Begin it with https://, and write spaces as '%20'",
      };
    } else if (url.username !== '' || url.password !== '' || SIGNATURE.test(value)) {
      yield {
        code: 'secret-in-manifest',
        path: [],
        what: 'the address carries a password or a signature, which would stand in manifests',
        hint: 'Put the value of the header Authorization into a Secret, and name that as secretRef',
      };
    }
  }),
);
