const OWN_TEXT = 'text of the console itself'
const OPERATOR = 'a setting of the operator'
const SHORT = 'at most 1024 characters of a report, of which the square is a millisecond'

/** Regular expressions that recheck calls slow (all of them quadratic), with what bounds their input. */
export const BOUNDED: ReadonlyMap<string, string> = new Map([
  ['/\\/+$/', 'addresses of the operator, and paths of at most 1024 characters'],
  ['/nova.*\\.conf$/', 'a file name, at most 255 characters'],
  [
    '/([A-Za-z_:][\\w:.-]*)\\s*=\\s*(?:"([^"]*)"|\'([^\']*)\')/g',
    'attributes that were found to be well-formed, so no name is without its value',
  ],
  ['/^[^\\n: ]*?([A-Za-z0-9_.-]+\\.(?:conf|ya?ml|sh))$/', OWN_TEXT],
  ['/\\.+$/', OWN_TEXT],
  ['/\\B(?=(?:\\d{3})+$)/g', 'a whole number, at most 16 digits'],
  ['/^_+|_+$/g', 'a name of a flavor, at most 255 characters'],
  ['/\\/etc\\/mdevctl\\.d(?:\\/([^/]+)(?:\\/(.+))?)?$/', SHORT],
  ['/([^/]+)\\.xml$/', SHORT],
  ['/[^A-Za-z0-9]+$/g', 'a host name, at most 253 characters'],
  ['/(\\d+)$/', 'an id of a type, at most 128 characters'],
  ['/\\?.*$/', OWN_TEXT],
  ['/^(?:([^=\\s]+)=)?(horizon|skyline)\\+(https?:\\/\\/[^\\s,?#@]+?)\\/*$/i', OPERATOR],
  ['/(:\\/\\/[^:@/]*:)[^@]*@/', OPERATOR],
])
